import { DamagedRecord, type EventStore, type ReadStreamOptions } from '#event-store';
import { AnswerLog } from './answer-log.js';

/** A log whose streams have so many records, of which a test names those that are damaged. */
function logOf(length: number, isDamaged: (revision: number) => boolean): AnswerLog {
  const readStream = async (_stream: string, { from, direction, limit }: ReadStreamOptions) => {
    await Promise.resolve();
    if (from !== undefined && !Number.isSafeInteger(from)) throw new RangeError('A revision is a whole number.');
    const step = direction === 'backwards' ? -1 : 1;
    const first = from ?? (step > 0 ? 0 : length - 1);
    const page = [];
    for (let revision = first; page.length < limit && 0 <= revision && revision <= length - 1; revision += step) {
      if (isDamaged(revision)) throw new DamagedRecord(revision + 1, 'it is damaged');
      page.push({ revision });
    }
    return page as never[];
  };
  return new AnswerLog({ readStream } as unknown as EventStore);
}

test('a stream whose end cannot be read has the damage for an answer', async () => {
  const log = logOf(Infinity, () => true);
  await expect(log.lastRevision('1.messages')).rejects.toThrow(DamagedRecord);
});

test('damage that was named already is passed over, however much there is', async () => {
  const log = logOf(1_500, () => true);
  await expect(log.readStream('1.messages', { limit: 10 })).rejects.toThrow(DamagedRecord);
  expect(log.damages).toHaveLength(1_000);
  expect(log.taken()).toHaveLength(1_000);
  expect(await log.readStream('1.messages', { from: 7, limit: 1 })).toEqual([]);
  expect(log.taken()).toEqual([]);
});
