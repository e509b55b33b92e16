import type { BlobStore } from '#blob-store';
import type { CommandRunner } from '#event-store';
import { BY_SERVER } from '#kernel';
import type { Directory } from '#people';
import type { ReadStore } from '#read-store';
import { ManualClock, OpenGate } from '#testing';
import { ExportSurroundings } from './export-surroundings.js';
import { MakeExport } from './make-export.js';

test('exports that are due together are begun one at a time', async () => {
  const begun: number[] = [];
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const runner = {
    async run(_decider: unknown, _stream: string, { exportId }: { exportId: number }) {
      begun.push(exportId);
      await answered;
      // Another process is at it.
      return { events: [] };
    },
  };
  const exports = [1, 2, 3].map((exportId) => ({ exportId, phase: 'pending' }));
  const gate = new OpenGate();
  const unused: unknown = undefined;
  const making = new MakeExport(
    { of: () => exports } as unknown as Directory,
    unused as ReadStore,
    unused as BlobStore,
    runner as unknown as CommandRunner,
    new ManualClock(),
    new ExportSurroundings('', '', fail),
    gate,
  );
  const pass = await gate.enter();
  const firing = Promise.all(['1', '2', '3'].map((subject) => making.fire(subject, pass, BY_SERVER)));
  await Promise.resolve();
  expect(begun).toEqual([1]);
  answer();
  await firing;
  await making.onModuleDestroy();
  await making.fire('2', pass, BY_SERVER);
  expect(begun).toEqual([1]);
});

function fail(error: unknown): never {
  throw error;
}
