import { Refusal } from '#kernel';
import { ReservedSpace } from './reserved-space.js';

const QUOTA = 100;
let used: number;
let space: ReservedSpace;
/** Ends the uploads under way, in their order. */
let ends: ((isStored: boolean) => void)[];

beforeEach(() => {
  used = 0;
  ends = [];
  space = new ReservedSpace(() => Promise.resolve(used));
});

/** An upload that lasts until it is ended; resolves to the space that others use, or a refusal's code. */
function upload(size: number): Promise<number | string> {
  const stored = space.run(size, QUOTA, async (usedBytes) => {
    const isStored = await new Promise<boolean>((end) => ends.push(end));
    if (!isStored) throw new Error('The storage failed.');
    used += size;
    return usedBytes;
  });
  return stored.catch((error: unknown) => (error instanceof Refusal ? error.code : 'failed'));
}

const turns = () => new Promise<void>((done) => setImmediate(done));

async function end(isStored = true): Promise<void> {
  ends.shift()?.(isStored);
  await turns();
}

test('uploads that fit are stored at the same time', async () => {
  const [first, second] = [upload(50), upload(50)];
  await turns();
  expect(ends).toHaveLength(2);
  await end();
  await end();
  expect([await first, await second]).toEqual([0, 50]);
});

test('one that does not fit is refused at once', async () => {
  used = 60;
  void upload(30);
  expect(await upload(41)).toBe('REALM_UPLOAD_QUOTA');
  await end();
});

test.each([
  [true, 'REALM_UPLOAD_QUOTA'],
  [false, 0],
])('one that fits only if another fails waits for it: %s', async (isStored, outcome) => {
  const first = upload(60);
  const second = upload(50);
  await turns();
  expect(ends).toHaveLength(1);
  await end(isStored);
  await turns();
  await end();
  expect([await first, await second]).toEqual([isStored ? 0 : 'failed', outcome]);
});

test('any number at the same time never takes more than there is', async () => {
  const uploads = Array.from({ length: 30 }, (_, index) => upload(5 + (index % 7)));
  for (let round = 0; round < 60; round++) {
    await turns();
    await end(round % 3 !== 0);
  }
  const outcomes = await Promise.all(uploads);
  expect(outcomes.filter((outcome) => typeof outcome === 'number').length).toBeGreaterThan(5);
  expect(used).toBeLessThanOrEqual(QUOTA);
  expect(used).toBeGreaterThan(QUOTA - 12);
});
