import { Readable } from 'node:stream';
import { SMALL_FILES_LIMIT_BYTES } from '../limits/limits.js';
import { SmallFileMemory, SmallFiles } from './small-files.js';

const COMPLAINT = 'exactly one';
const MIB = 1024 * 1024;

/** The files of a request, after they have arrived; `failed` is why it was refused meanwhile. */
async function received(
  memory: SmallFileMemory,
  ...contents: Buffer[][]
): Promise<{ files: SmallFiles; failed: unknown[] }> {
  const files = new SmallFiles(5 * MIB, memory);
  const failed: unknown[] = [];
  for (const chunks of contents) {
    const content = Readable.from(chunks);
    files.take('x.png', content, (error) => {
      failed.push(error);
      content.destroy();
    });
    await new Promise((resolve) => content.once('close', resolve));
  }
  return { files, failed };
}

test('the only file is given as a whole', async () => {
  const { files } = await received(new SmallFileMemory(), [Buffer.from('ab'), Buffer.from('c')]);
  expect(files.only(COMPLAINT)).toEqual({ filename: 'x.png', bytes: Buffer.from('abc') });
  expect(files.atMostOne(COMPLAINT)?.bytes.toString()).toBe('abc');
});

test('none and several are refused where one is needed, several where one may be', async () => {
  const memory = new SmallFileMemory();
  const { files: none } = await received(memory);
  const { files: two } = await received(memory, [Buffer.from('a')], [Buffer.from('b')]);
  expect(none.atMostOne(COMPLAINT)).toBeUndefined();
  for (const take of [() => none.only(COMPLAINT), () => two.only(COMPLAINT), () => two.atMostOne(COMPLAINT)])
    expect(take).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message: COMPLAINT }));
});

test('requests in progress hold so much memory together, until they are answered', async () => {
  const memory = new SmallFileMemory();
  const large = Array<Buffer>(8).fill(Buffer.alloc(SMALL_FILES_LIMIT_BYTES / 16));
  const [first, second] = [await received(memory, large), await received(memory, large)];
  expect([first.failed, second.failed]).toEqual([[], []]);
  const third = await received(memory, [Buffer.from('a')]);
  expect(third.failed).toEqual([expect.objectContaining({ code: 'SERVER_NOT_READY' })]);
  first.files.release();
  // Twice is what the end of a connection after an answer looks like.
  first.files.release();
  expect((await received(memory, [Buffer.from('a')])).failed).toEqual([]);
});

test('the memory of one server is not that of another', async () => {
  const large = Array<Buffer>(8).fill(Buffer.alloc(SMALL_FILES_LIMIT_BYTES / 16));
  const full = new SmallFileMemory();
  await received(full, large);
  await received(full, large);
  expect((await received(full, [Buffer.from('a')])).failed).toHaveLength(1);
  expect((await received(new SmallFileMemory(), [Buffer.from('a')])).failed).toEqual([]);
});
