import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

const recorded = new Set<string>();

/** The kind of a client event as the catalogue names it: its type, then its `op` where it has one. */
const kindOf = ({ type, op }: { readonly type: string; readonly op?: string }): string =>
  op === undefined ? type : `${type}/${op}`;

/** Records which kinds of client events a black-box test was delivered, for `client-event-kinds.reporter.mjs`. */
export function recordKinds(events: readonly { readonly type: string; readonly op?: string }[]): void {
  const folder = process.env['CLIENT_EVENT_KINDS'];
  if (folder === undefined) return;
  for (const kind of events.map(kindOf)) {
    if (recorded.has(kind)) continue;
    recorded.add(kind);
    appendFileSync(join(folder, `${process.pid}.txt`), `${kind}\n`);
  }
}
