import { SYSTEM_BOTS } from './first-start.decider.js';

/** Lookalikes of Latin letters, by letter: letters of other scripts (lower case of those that look alike in either case), digits, signs. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ',
  b: 'вьβʙ',
  c: 'сϲᴄ',
  d: 'ԁᴅ',
  e: 'еєεҽ℮ᴇ',
  f: 'ƒքꜰ',
  g: 'ɡցԍɢ',
  h: 'нһηհʜ',
  i: 'іιıɩɪӏǀlʟ1|!',
  j: 'јϳ',
  k: 'кκᴋ',
  m: 'мμᴍ',
  n: 'νոɴ',
  o: 'оοσօᴏ0',
  p: 'рρᴘ',
  r: 'гʀ',
  s: 'ѕꜱ5$',
  t: 'тτᴛ',
  u: 'սᴜ',
  v: 'ѵᴠ',
  w: 'ԝωѡաᴡ',
  x: 'хχ',
  y: 'уυүγʏ',
  z: 'ζᴢ',
};

const LATIN = new Map(
  Object.entries(LOOKALIKES).flatMap(([latin, alike]) => Array.from(alike, (one): [string, string] => [one, latin])),
);

/** Maps names that look alike to the same text (the "skeleton" of Unicode Technical Standard 39, for Latin letters). */
function skeletonOf(name: string): string {
  const letters = name.normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const latin = Array.from(letters, (letter) => LATIN.get(letter) ?? letter).join('');
  return latin
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

const RESERVED = new Set(SYSTEM_BOTS.map(({ fullName }) => skeletonOf(fullName)));

/** Whether the name looks like that of a system bot, whose messages people trust. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(skeletonOf(name));
}
