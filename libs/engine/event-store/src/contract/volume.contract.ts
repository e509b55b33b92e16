import { sized } from '#testing';
import { APPEND_BYTES_MAX, type RecordedEvent } from '../event-store.js';
import { type ContractLog, everything, note, PATIENCE_MS, take, textsOf } from './log.contract.js';

/** Length of the log to catch up with. A million events take a minute, so only the nightly tests run them. */
const CATCH_UP_EVENTS = Number(process.env['CATCH_UP_EVENTS'] ?? sized({ nightly: 20_000, usual: 5_000 }));

/** Slower than any adapter on any machine that tests run on. */
const SLOWEST_EVENTS_PER_S = 1_000;

/** Contract of long logs and large events. */
export function describeVolume(log: ContractLog): void {
  const limitMs = PATIENCE_MS + Math.ceil((CATCH_UP_EVENTS / SLOWEST_EVENTS_PER_S) * 1_000);

  test(
    `a subscriber catches up with ${CATCH_UP_EVENTS} events and stays`,
    async () => {
      const STREAMS = 10;
      const each = CATCH_UP_EVENTS / STREAMS;
      for (let stream = 0; stream < STREAMS; stream++) await log.seed(`1.s-${stream}`, each);
      let seen = 0;
      const check = (batch: readonly RecordedEvent<{ text: string }>[]): void => {
        const isInOrder = batch.every(({ stream, revision, data }, index) => {
          const at = seen + index;
          return stream === `1.s-${Math.floor(at / each)}` && revision === at % each && data.text === String(revision);
        });
        expect(isInOrder).toBe(true);
        seen += batch.length;
      };
      const signal = AbortSignal.timeout(limitMs);
      let late: Promise<unknown> = Promise.resolve();
      for await (const batch of log.store.subscribe({ signal })) {
        if (batch.at(-1)?.stream === '1.late') {
          seen += batch.length;
          break;
        }
        check(batch);
        if (seen === CATCH_UP_EVENTS) late = log.store.append('1.late', 'none', [note('late')]);
      }
      await late;
      expect(seen).toBe(CATCH_UP_EVENTS + 1);
    },
    3 * limitMs,
  );

  test('large events in a row reach every kind of reader', async () => {
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(APPEND_BYTES_MAX - 1_000));
    const followed = take(log.store, texts.length, {}, 2 * PATIENCE_MS);
    for (const text of texts) await log.store.append('1.a', 'any', [note(text)]);
    expect(textsOf(await followed)).toEqual(texts);
    expect(textsOf(await everything(log.store))).toEqual(texts);
    expect(textsOf(await log.store.readStream('1.a', { limit: 100 }))).toEqual(texts);
  });
}
