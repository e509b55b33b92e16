import type { Filter } from '#read-store';
import { FileReferences } from './file-references.js';

/** References of messages to files: the first 2,000 refer to file 1, and one more to files 1 and 2. */
const MESSAGES = Array.from({ length: 2_001 }, (_, index) => ({
  id: index + 1,
  files: index === 2_000 ? [1, 2] : [1],
}));

const filesIn = (filter: Filter): readonly unknown[] => JSON.stringify(filter).match(/\d+/g)!.map(Number);

const reader = {
  findIds: (filter: Filter, _direction: string, limit: number) =>
    Promise.resolve(
      MESSAGES.filter(({ files }) => files.some((file) => filesIn(filter).includes(file)))
        .slice(0, limit)
        .map(({ id }) => id),
    ),
  getManyLean: (ids: readonly number[]) =>
    Promise.resolve(new Map(ids.map((id) => [id, { files: MESSAGES[id - 1]!.files, at: id }]))),
};
const references = new FileReferences(undefined as never, reader as never);

test('a file to which many messages refer hides those of no other file', async () => {
  const found = await references.of([1, 2]);
  expect(found.get(1)!.slice(0, 2)).toEqual([
    { messageId: 1, sentAt: 1 },
    { messageId: 2, sentAt: 2 },
  ]);
  expect(found.get(1)!.length).toBeLessThanOrEqual(1_000);
  expect(found.get(2)).toEqual([{ messageId: 2_001, sentAt: 2_001 }]);
});

test('a file alone has the first of its messages, as many as are listed', async () => {
  expect((await references.of([1])).get(1)).toHaveLength(1_000);
  expect(await references.of([])).toEqual(new Map());
});
