import type { PendingItem, PendingWork } from '#feature';
import { within } from '#kernel';
import type { Check } from './check.js';

/** Pieces of work of each kind that are looked at, those that are tried next. */
const LOOKED_AT_MAX = 100;
/** A store that takes longer is a failure, which other checks tell. */
const ANSWERS_WITHIN_MS = 5_000;
const NAME = 'pending work';

/** Which kinds of work outside of the server fail, such as mails and calls of services. Without contents, as `pending list`. */
export async function pendingChecks(work: Pick<PendingWork, 'kinds' | 'source'>): Promise<readonly Check[]> {
  const late = (): Error => new Error('The stores do not answer in time.');
  const list = async (kind: string): Promise<readonly PendingItem[]> =>
    within(ANSWERS_WITHIN_MS, () => work.source(kind).list(LOOKED_AT_MAX), late);
  const found = await Promise.all(
    work.kinds.map((kind) =>
      list(kind).then(
        (items) => failingCheck(kind, items),
        () => warning(`${kind}: it cannot be listed at the moment.`),
      ),
    ),
  );
  const failing = found.filter((check) => check !== undefined);
  return failing.length > 0 ? failing : [{ name: NAME, state: 'ok', text: 'Nothing has failed and waits.' }];
}

function failingCheck(kind: string, items: readonly PendingItem[]): Check | undefined {
  const failed = items.filter(({ attempts }) => attempts > 0).sort((one, other) => one.since - other.since);
  const [oldest] = failed;
  if (oldest === undefined) return undefined;
  const count = items.length === LOOKED_AT_MAX ? `at least ${failed.length}` : String(failed.length);
  const since = `${new Date(oldest.since * 1000).toISOString().slice(0, 19)}Z`;
  const reason = failed.find((item) => item.reason !== null)?.reason ?? 'the reason is not known';
  return warning(`${kind}: ${count} failed and wait, the oldest since ${since}: ${reason}`);
}

function warning(text: string): Check {
  return { name: NAME, state: 'warning', text };
}
