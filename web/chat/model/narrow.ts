/** Addresses in the page: `#narrow/channel/9-announce/topic/Zulip.20updates/near/214`, as the server's links and mails have them. */

export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

export type View = 'inbox' | 'recent' | 'drafts' | 'channels' | 'people' | 'settings' | 'organization' | 'since';

export type Route =
  | { readonly view: View; readonly rest: readonly string[] }
  | {
      readonly view: 'narrow';
      readonly terms: readonly Term[];
      /** Message that the address names. */
      readonly near: number | undefined;
    };

const VIEWS: ReadonlySet<string> = new Set<View>([
  ...(['inbox', 'recent', 'drafts', 'channels', 'people', 'settings', 'organization', 'since'] as const),
]);
/** Names that the server's links and older ones have for the same. */
const OPERATORS: Readonly<Record<string, string>> = { stream: 'channel', 'pm-with': 'dm', subject: 'topic' };

/** @param hash with or without the number sign */
export function routeOf(hash: string): Route {
  const [view = '', ...rest] = hash.replace(/^#?\/?/, '').split('/');
  if (view === 'narrow') return narrowOf(rest);
  return VIEWS.has(view) ? { view: view as View, rest: rest.map(decoded) } : { view: 'inbox', rest: [] };
}

function narrowOf(parts: readonly string[]): Route {
  const terms: Term[] = [];
  let near: number | undefined;
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const name = parts[index] ?? '';
    const operand = decoded(parts[index + 1] ?? '');
    const negated = name.startsWith('-');
    const plain = name.replace(/^-/, '');
    const operator = OPERATORS[plain] ?? plain;
    if ((operator === 'near' || operator === 'with') && /^\d{1,15}$/.test(operand)) near = Number(operand);
    else terms.push({ operator, operand: operandOf(operator, operand), ...(negated && { negated }) });
  }
  return { view: 'narrow', terms, near };
}

function operandOf(operator: string, operand: string): Term['operand'] {
  if (operator === 'channel') return /^\d+(?=-|$)/.test(operand) ? Number.parseInt(operand, 10) : operand;
  if (operator !== 'dm' && operator !== 'dm-including') return operand;
  const ids = /^[\d,]+/.exec(operand)?.[0].split(',').filter(Boolean).map(Number);
  return ids ?? operand;
}

/** Decodes a component, whose percent signs are dots. What cannot be decoded stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll(/\.(?=[0-9A-Fa-f]{2})/g, '%'));
  } catch {
    return text;
  }
}

export function encoded(text: string): string {
  const percent = encodeURIComponent(text).replaceAll(/[.!'()*]/g, hexOf);
  return percent.replaceAll('%', '.');
}

function hexOf(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

export function channelHash(id: number, name: string, topic?: string, near?: number): string {
  const place = `#narrow/channel/${id}-${encoded(name.replaceAll(' ', '-'))}`;
  return `${place}${topic === undefined ? '' : `/topic/${encoded(topic)}`}${near === undefined ? '' : `/near/${near}`}`;
}

/** @param ids all participants, with or without the reader */
export function directHash(ids: readonly number[], near?: number): string {
  const place = `#narrow/dm/${ids.join(',')}-${ids.length > 2 ? 'group' : 'dm'}`;
  return `${place}${near === undefined ? '' : `/near/${near}`}`;
}

/** The same for the same terms, whatever message an address names. */
export const narrowKey = (terms: readonly Term[]): string => JSON.stringify(terms);

export const operandIn = (terms: readonly Term[], operator: string): Term['operand'] | undefined =>
  terms.find((term) => term.operator === operator && term.negated !== true)?.operand;
