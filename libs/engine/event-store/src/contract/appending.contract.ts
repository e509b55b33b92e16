import { APPEND_BYTES_MAX, AppendTooLarge, EventStoreUnavailable, RevisionConflict } from '../event-store.js';
import { UnreadableEvent } from '../registry.js';
import { type ContractLog, everything, note, textsOf } from './log.contract.js';

/** Contract of appends: answers, conflicts, atomicity, repetition. */
export function describeAppending(log: ContractLog): void {
  describe('appending', () => {
    test('the answer names the place of the events', async () => {
      const first = await log.store.append('1.a', 'none', [note('x')]);
      expect(first).toMatchObject({ firstRevision: 0, lastRevision: 0 });
      const second = await log.store.append('1.a', 0, [note('y'), note('z')]);
      expect(second).toMatchObject({ firstRevision: 1, lastRevision: 2 });
      expect(second.position).toBeGreaterThan(first.position);
      expect(second.position).toBe((await log.store.readStream('1.a', { limit: 10 })).at(-1)?.position);
      expect(await log.store.head()).toBe(second.position);
    });

    test('an event is read back as it was appended', async () => {
      const before = Date.now();
      const event = note('x', { by: 7, via: null });
      const { position } = await log.store.append('1.a', 'any', [event]);
      const [read] = await log.store.readStream('1.a', { limit: 1 });
      expect(read).toEqual({ ...event, position, stream: '1.a', revision: 0, recordedAtMs: read?.recordedAtMs });
      expect(read?.recordedAtMs).toBeGreaterThanOrEqual(before - 1_000);
      expect(read?.recordedAtMs).toBeLessThanOrEqual(Date.now() + 1_000);
    });

    test.each([
      ['none', 1],
      [0, 2],
      [1, 0],
      [5, 2],
    ] as const)('an append at %s to a stream of %i events is a conflict', async (expected, length) => {
      await log.fill('1.a', length);
      const attempt = log.store.append('1.a', expected, [note('late')]);
      await expect(attempt).rejects.toThrow(RevisionConflict);
      await expect(attempt).rejects.toMatchObject({ stream: '1.a', expected, actual: length - 1 });
      expect(await log.store.readStream('1.a', { limit: 10 })).toHaveLength(length);
    });

    test('a conflict leaves the other appends alone', async () => {
      await log.store.append('1.a', 'none', [note('0')]);
      const outcomes = await Promise.allSettled([
        log.store.append('1.a', 0, [note('1')]),
        log.store.append('1.a', 0, [note('lost')]),
        log.store.append('1.b', 'none', [note('2')]),
        log.store.append('1.a', 1, [note('3')]),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(textsOf(await everything(log.store))).toHaveLength(4);
    });

    test('of many appends racing for one revision exactly one wins', async () => {
      for (const expected of ['none', 0, 1] as const) {
        const attempts = Array.from({ length: 20 }, (_, index) =>
          log.store.append('1.a', expected, [note(String(index))]),
        );
        const outcomes = await Promise.allSettled(attempts);
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(RevisionConflict);
        }
      }
      expect(await log.store.readStream('1.a', { limit: 10 })).toHaveLength(3);
    });

    test('appends without an expected revision never conflict and get dense revisions', async () => {
      const appends = Array.from({ length: 200 }, (_, index) => log.store.append('1.a', 'any', [note(String(index))]));
      const revisions = (await Promise.all(appends)).map(({ firstRevision }) => firstRevision);
      expect([...revisions].sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index));
      const events = await log.store.readStream('1.a', { limit: 1_000 });
      for (const [index, revision] of revisions.entries())
        expect(events[revision]?.data).toEqual({ text: String(index) });
    });

    test('the events of one append stay together', async () => {
      const appends = Array.from({ length: 50 }, (_, index) => {
        const events = Array.from({ length: 5 }, (__, part) => note(`${index}.${part}`));
        return log.store.append(`1.s-${index % 3}`, 'any', events);
      });
      await Promise.all(appends);
      const texts = textsOf(await everything(log.store));
      expect(texts).toHaveLength(250);
      for (let start = 0; start < 250; start += 5) {
        const batch = texts[start]?.split('.')[0] ?? '';
        expect(texts.slice(start, start + 5)).toEqual([0, 1, 2, 3, 4].map((part) => `${batch}.${part}`));
      }
    });

    test('an append of no events stores nothing and leaves nothing to wait for', async () => {
      expect(await log.store.append('1.a', 'none', [])).toEqual({ position: 0, firstRevision: 0, lastRevision: -1 });
      await log.store.append('1.a', 'none', [note('x')]);
      expect(await log.store.append('1.a', 7, [])).toEqual({ position: 0, firstRevision: 1, lastRevision: 0 });
      expect(await everything(log.store)).toHaveLength(1);
    });

    test('an event of an unknown type or of the wrong shape is refused', async () => {
      const unknown = { ...note('x'), type: 'note.melted.v1' };
      const misshapen = { ...note('x'), data: { text: 5 } };
      await expect(log.store.append('1.a', 'any', [note('y'), unknown])).rejects.toThrow(UnreadableEvent);
      await expect(log.store.append('1.a', 'any', [note('y'), misshapen])).rejects.toThrow(/text/);
      expect(await everything(log.store)).toEqual([]);
    });

    test.each(['', 'not-a-uuid', '0'.repeat(32), '00000000-0000-0000-0000-000000000000'])(
      'an event with the id %j is refused, and those beside it',
      async (id) => {
        const attempt = log.store.append('1.a', 'any', [note('y'), { ...note('x'), id }]);
        await expect(attempt).rejects.toThrow(UnreadableEvent);
        await expect(attempt).rejects.toThrow(/id of an event/);
        expect(await everything(log.store)).toEqual([]);
      },
    );

    test('an append of almost a mebibyte is stored, a larger one is refused', async () => {
      const text = 'ü'.repeat(APPEND_BYTES_MAX / 2 - 1_000);
      await log.store.append('1.a', 'none', [note(text)]);
      await expect(log.store.append('1.a', 0, [note(text), note('u'.repeat(3_000))])).rejects.toThrow(AppendTooLarge);
      expect(textsOf(await everything(log.store))).toEqual([text]);
    });

    test('a closed store takes nothing', async () => {
      await log.store.close();
      await expect(log.store.append('1.a', 'any', [note('x')])).rejects.toThrow(EventStoreUnavailable);
    });
  });

  describe('repeating an append', () => {
    test.each(['none', 1] as const)('with the same ids at %s gives the first answer', async (expected) => {
      if (expected === 1) await log.store.append('1.a', 'none', [note('p'), note('q')]);
      const events = [note('x'), note('y')];
      const first = await log.store.append('1.a', expected, events);
      await log.store.append('1.a', 'any', [note('after')]);
      expect(await log.store.append('1.a', expected, events)).toEqual(first);
      await log.reopen();
      expect(await log.store.append('1.a', expected, events)).toEqual(first);
      expect(await everything(log.store)).toHaveLength(expected === 1 ? 5 : 3);
    });

    test('at the same time gives both the same answer', async () => {
      const events = [note('x'), note('y')];
      const [first, second] = await Promise.all([
        log.store.append('1.a', 'none', events),
        log.store.append('1.a', 'none', events),
      ]);
      expect(second).toEqual(first);
      expect(await everything(log.store)).toHaveLength(2);
    });

    test('with more events than were stored is a conflict', async () => {
      const [a, b, d] = [note('a'), note('b'), note('d')];
      await log.store.append('1.a', 'none', [a, b]);
      await expect(log.store.append('1.a', 'none', [a, b, d])).rejects.toThrow(RevisionConflict);
    });

    test('with another id is a conflict', async () => {
      const [a, b] = [note('a'), note('b')];
      await log.store.append('1.a', 'none', [a, b]);
      await expect(log.store.append('1.a', 'none', [a, note('b')])).rejects.toThrow(RevisionConflict);
      await expect(log.store.append('1.a', 0, [a])).rejects.toThrow(RevisionConflict);
    });

    test('at the current revision stores a second copy', async () => {
      const event = note('x');
      await log.store.append('1.a', 'none', [event]);
      expect(await log.store.append('1.a', 0, [event])).toMatchObject({ firstRevision: 1, lastRevision: 1 });
    });
  });
}
