const UNIX_SECONDS = /^-?\d{1,11}(?:\.\d{1,9})?$/;
/** Remark that programs write after a zone: `(Central European Standard Time)`. */
const REMARK = /\([^()]*\)$/;
/** Years outside 1 to 9999 have another ISO form, which clients do not parse. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
/** Words without meaning in a date. */
const FILLERS = new Set(['at', 'of', 'on', 'the', 'and']);
/** Zones by common names, in hours ahead of UTC. For names of several zones, the American one. */
const ZONES = new Map(
  (
    'z:0 utc:0 gmt:0 wet:0 west:1 bst:1 cet:1 cest:2 met:1 mest:2 eet:2 eest:3 msk:3 trt:3 wat:1 cat:2 sast:2 eat:3 gst:4 pkt:5 ist:5.5 ' +
    'npt:5.75 wib:7 ict:7 wita:8 wit:9 sgt:8 hkt:8 pht:8 awst:8 jst:9 kst:9 acst:9.5 acdt:10.5 aest:10 aedt:11 nzst:12 nzdt:13 ' +
    'nst:-3.5 ndt:-2.5 ast:-4 adt:-3 est:-5 edt:-4 cst:-6 cdt:-5 mst:-7 mdt:-6 pst:-8 pdt:-7 akst:-9 akdt:-8 hst:-10 brt:-3 art:-3 clt:-4'
  )
    .split(' ')
    .map((zone) => zone.split(':'))
    .map(([name = '', hours]) => [name, Number(hours) * 60]),
);

/** The parts read so far. A repeated part makes the time invalid. */
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half' | 'zone';
type Parts = Partial<Record<Part, number>>;

/** Stores what a pattern matched in `parts`; false when it is invalid there. */
type Reader = (parts: Parts, match: readonly (string | undefined)[]) => boolean;

function set(parts: Parts, values: Parts): boolean {
  for (const [part, value] of Object.entries(values) as [Part, number | undefined][]) {
    if (value === undefined) continue;
    if (parts[part] !== undefined) return false;
    parts[part] = value;
  }
  return true;
}

const number = (digits: string | undefined): number | undefined => (digits === undefined ? undefined : Number(digits));
const half = (letter: string | undefined): number | undefined =>
  letter === undefined ? undefined : letter.toLowerCase() === 'p' ? 12 : 0;

function ymd(year: string | undefined, month: string | undefined, day: string | undefined): Parts {
  return { year: number(year), month: number(month), day: number(day) };
}

function hms(hour: string | undefined, minute: string | undefined, second: string | undefined): Parts {
  return { hour: number(hour), minute: number(minute), second: number(second) };
}

/** In the order of the attempts. Each matches a bounded number of characters. */
const READERS: readonly (readonly [pattern: RegExp, read: Reader])[] = [
  [/[\s,]+/y, () => true],
  [
    /(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?)?(?!\d)/iy,
    (parts, [, y, m, d, ...time]) => set(parts, { ...ymd(y, m, d), ...hms(time[0], time[1], time[2]) }),
  ],
  [/(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/y, (parts, [, y, , m, d]) => set(parts, ymd(y, m, d))],
  [/(\d{4})-(\d{2})(?!\d)/y, (parts, [, y, m]) => set(parts, ymd(y, m, '1'))],
  [
    /(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/y,
    // The month comes first if that is possible.
    (parts, [, a, , b, y]) => set(parts, Number(a) > 12 ? ymd(y, b, a) : ymd(y, a, b)),
  ],
  [/T(\d{2})(\d{2})(\d{2})?(?!\d)/iy, (parts, [, h, m, s]) => set(parts, hms(h, m, s))],
  [/T?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?!\d)/iy, (parts, [, h, m, s]) => set(parts, hms(h, m, s))],
  [/(\d{1,2}) ?([ap])\.?m\b\.?/iy, (parts, [, h, p]) => set(parts, { hour: Number(h), half: half(p) ?? 0 })],
  [/([ap])\.?m\b\.?/iy, (parts, [, p]) => parts.hour !== undefined && set(parts, { half: half(p) ?? 0 })],
  [
    /(?:UTC|GMT)? ?([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)/iy,
    (parts, [, sign, h, m]) => {
      const minutes = Number(h) * 60 + Number(m ?? 0);
      return parts.hour !== undefined && minutes < 24 * 60 && set(parts, { zone: sign === '-' ? -minutes : minutes });
    },
  ],
  [/(\d{1,2})(?:st|nd|rd|th)\b/iy, (parts, [, d]) => set(parts, { day: Number(d) })],
  [/(\d{4})(?!\d)-?/y, (parts, [, y]) => set(parts, { year: Number(y) })],
  [/(\d{1,2})(?!\d)-?/y, (parts, [, d]) => set(parts, { day: Number(d) })],
  [/([a-z]{1,9})\b[.-]?/iy, (parts, [, word]) => readWord(parts, (word ?? '').toLowerCase())],
];

function readWord(parts: Parts, word: string): boolean {
  if (FILLERS.has(word)) return true;
  const zone = ZONES.get(word);
  if (zone !== undefined) return parts.hour !== undefined && set(parts, { zone });
  const month = nameAt(MONTHS, word);
  return month < 0 ? nameAt(WEEKDAYS, word) >= 0 : set(parts, { month: month + 1 });
}

/** Index of a name that is written out, or abbreviated to three letters or more. */
function nameAt(names: readonly string[], word: string): number {
  return word.length < 3 ? -1 : names.findIndex((name) => name.startsWith(word));
}

/**
 * Parses a time as written by people or programs, in milliseconds since 1970; NaN for an invalid one. Supports Unix
 * seconds, ISO 8601 in both forms, and dates with a year, the month as a name or a number, the day as an ordinal or a
 * number, a time of day, and a zone. UTC without a zone: the server's own zone must not change a message. An unknown
 * zone is invalid.
 */
export function parseWrittenTime(text: string): number {
  const written = parseParts(text);
  const millis = Number.isNaN(written) && UNIX_SECONDS.test(text) ? Number(text) * 1000 : written;
  return millis >= EARLIEST && millis <= LATEST ? millis : Number.NaN;
}

function parseParts(text: string): number {
  const parts: Parts = {};
  const written = text.replace(REMARK, '');
  for (let at = 0; at < written.length;) {
    const next = readAt(written, at, parts);
    if (next === undefined) return Number.NaN;
    at = next;
  }
  return millisOf(parts);
}

function readAt(text: string, at: number, parts: Parts): number | undefined {
  for (const [pattern, read] of READERS) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return read(parts, match) ? pattern.lastIndex : undefined;
  }
  return undefined;
}

function millisOf({ year, month, day, hour = 0, minute = 0, second = 0, half: meridiem, zone = 0 }: Parts): number {
  if (year === undefined || month === undefined || day === undefined || month > 12 || day < 1) return Number.NaN;
  if (minute > 59 || second > 59 || hour > 23 || (meridiem !== undefined && (hour < 1 || hour > 12))) return Number.NaN;
  const time = new Date(0);
  // `Date.UTC` would take the year 99 for 1999.
  time.setUTCFullYear(year, month - 1, day);
  // A day beyond the end of the month has overflowed into the next one.
  if (time.getUTCMonth() !== month - 1) return Number.NaN;
  return time.setUTCHours(meridiem === undefined ? hour : (hour % 12) + meridiem, minute - zone, second);
}
