import { ManualClock } from '#testing';
import { Mailer } from './mailer.js';

test('mails are composed one after the other, however many are due, and other work on mail takes its turn', async () => {
  // No mail is queued, so nothing is recorded.
  const mailer = new Mailer(undefined as never, new ManualClock());
  let [underWay, most, composed] = [0, 0, 0];
  const piece = async (): Promise<undefined> => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    composed++;
    return undefined;
  };
  mailer.add({ name: 'sample', compose: piece });
  const letters = Array.from({ length: 20 }, (_, index) => mailer.compose(String(index), 'sample', {}));
  await Promise.all([...letters, mailer.paced(piece)]);
  expect([most, composed]).toEqual([1, 21]);
});
