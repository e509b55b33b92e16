import { type EventStore, streams } from '#event-store';
import { sendsOf } from './sends.js';

test('sends are read in as many answers as it takes', async () => {
  const reads: unknown[] = [];
  const readPages: EventStore['readPages'] = (pages) => {
    reads.push(pages);
    return Promise.resolve(pages.slice(0, 2).map(({ from }) => [{ revision: from } as never]));
  };
  const sends = await sendsOf({ readPages }, [3, 5, 90]);
  expect([...sends.keys()]).toEqual([3, 5, 90]);
  expect(sends.get(5)).toEqual({ revision: 4 });
  const [third, fifth, last] = [2, 4, 89].map((from) => ({ stream: streams.messages, from, limit: 1 }));
  expect(reads).toEqual([[third, fifth, last], [last]]);
});
