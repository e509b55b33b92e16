import { randomUUID } from 'node:crypto';
import { UnreadableEvent } from '../registry.js';
import { type ContractLog, everything, note, take, oldContractRegistry } from './log.contract.js';

/** Contract of content: events are read as they were written, in their newest shape, live and after a restart. */
export function describeContent(log: ContractLog): void {
  describe('content', () => {
    test.each([
      ['Unicode', '𝒳 ünï\u0000code \u202E🏴‍☠️ \uFEFF\u2028 日本'],
      ['a lone surrogate', 'a\uD800b'],
      ['line breaks and quotes', '"\n\r\t\\\''],
      ['nothing', ''],
    ])('%s survives', async (_, text) => {
      await log.store.append('1.a', 'none', [note(text, { text })]);
      await log.reopen();
      const [event] = await everything(log.store);
      expect(event?.data).toEqual({ text });
      expect(event?.metadata).toEqual({ text });
    });

    test('stream names may hold any letters', async () => {
      await log.store.append('1.größe-日本-🏴', 'none', [note('x')]);
      expect(await log.store.readStream('1.größe-日本-🏴', { limit: 1 })).toHaveLength(1);
      expect((await everything(log.store))[0]?.stream).toBe('1.größe-日本-🏴');
    });

    test('no metadata are empty metadata', async () => {
      await log.store.append('1.a', 'none', [note('x'), note('y', {})]);
      expect((await everything(log.store)).map(({ metadata }) => metadata)).toEqual([{}, {}]);
    });

    test('the time of a copied event is kept, and its metadata are its own', async () => {
      const [bare, told] = [
        { ...note('x'), recordedAtMs: 86_400_000 },
        { ...note('y', { by: 1 }), recordedAtMs: 86_400_001 },
      ];
      const live = take(log.store, 2);
      await log.store.append('1.a', 'none', [bare, told]);
      const expected = [
        { ...bare, metadata: {} },
        { ...told, metadata: { by: 1 } },
      ];
      expect(await live).toMatchObject(expected);
      await log.reopen();
      const stored = await everything(log.store);
      expect(stored).toMatchObject(expected);
      expect(stored.map(({ metadata }) => Object.keys(metadata))).toEqual([[], ['by']]);
    });

    test('a subscriber at the head gets the same events as one after a restart', async () => {
      const live = take(log.store, 2);
      const data = { text: 'x', tags: undefined, at: new Date(5), list: [undefined, -0] };
      await log.store.append('1.a', 'none', [{ ...note('x'), data }, note('y', { by: undefined })]);
      const received = await live;
      data.text = 'changed by its owner';
      await log.reopen();
      const stored = await everything(log.store);
      expect(received).toStrictEqual(stored);
      expect(received[0]?.data).toStrictEqual({ text: 'x', at: '1970-01-01T00:00:00.005Z', list: [null, 0] });
    });

    test('old versions are lifted wherever they are read', async () => {
      await log.reopen(oldContractRegistry);
      await log.store.append('1.a', 'none', [{ id: randomUUID(), type: 'note.taken.v1', data: { body: 'old' } }]);
      await log.reopen();
      const lifted = { type: 'note.taken.v2', data: { text: 'old' } };
      expect(await everything(log.store)).toMatchObject([lifted]);
      expect(await log.store.readStream('1.a', { limit: 1 })).toMatchObject([lifted]);
      expect(await take(log.store, 1)).toMatchObject([lifted]);
    });

    test('an unknown type stops the reader and names the position', async () => {
      await log.reopen(oldContractRegistry);
      const burnt = await log.store.append('1.a', 'none', [{ id: randomUUID(), type: 'note.burnt.v1', data: {} }]);
      await log.reopen();
      const complaint = new RegExp(`note\\.burnt\\.v1.*position ${burnt.position} .*1\\.a`);
      await expect(everything(log.store)).rejects.toThrow(complaint);
      await expect(take(log.store, 1)).rejects.toThrow(UnreadableEvent);
      await expect(log.store.readStream('1.a', { limit: 1 })).rejects.toThrow(UnreadableEvent);
    });
  });

  test('everything is there after a restart', async () => {
    await log.fill('1.a', 25);
    await log.store.append('1.b', 'none', [note('b', { by: 1 })]);
    const before = await everything(log.store);
    const head = await log.store.head();
    await log.reopen();
    expect(await everything(log.store)).toEqual(before);
    expect(await log.store.head()).toBe(head);
    expect(await log.store.append('1.b', 0, [note('c')])).toMatchObject({ firstRevision: 1 });
    expect(await log.store.append('1.a', 'any', [note('d')])).toMatchObject({ firstRevision: 25 });
  });
}
