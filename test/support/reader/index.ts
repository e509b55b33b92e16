import { readEvent, readRegister, type Asked } from './strict-reader.js';

/**
 * A second reader of everything that clients are sent, written from the description of the interface at the advertised level: every suite
 * reads what it receives by it, too.
 * @throws Error that lists the missing, renamed and foreign fields, and values of another type
 */
export function expectOfLevel(
  asked: Asked,
  { state, events = [] }: { readonly state?: unknown; readonly events?: readonly any[] },
): void {
  const wrong = [
    ...(state === undefined ? [] : readRegister(asked, state)),
    ...events.flatMap((event) => readEvent(asked, event)),
  ];
  if (wrong.length > 0) throw new Error(`Not of the advertised level:\n${[...new Set(wrong)].join('\n')}`);
}
