import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyLog, openEventStore, type RecordedEvent } from '#event-store';
import { contractRegistry, everything, note } from '../../libs/engine/event-store/src/contract/log.contract.js';
import { ServerFixture } from './eventstoredb.fixture.js';

function contents(events: readonly RecordedEvent[]): object[] {
  return events.map((event) => ({ ...event, position: undefined }));
}

test('a log goes from SQLite to EventStoreDB and back, connections breaking on the way, and is the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'copy-log-'));
  const fixture = await ServerFixture.start();
  const source = await openEventStore(`sqlite:${join(folder, 'source.db')}`, contractRegistry);
  const server = await fixture.open();
  const back = await openEventStore(`sqlite:${join(folder, 'back.db')}`, contractRegistry);
  for (let index = 0; index < 400; index++) {
    const events = Array.from({ length: 1 + (index % 3) }, (_, part) =>
      note(`${index}.${part} 日本`, part === 1 ? { by: index } : {}),
    );
    await source.append(`1.s-${index % 11}`, 'any', events);
  }

  let steps = 0;
  const onProgress = (): void => {
    if (++steps % 50 === 0) fixture.server.faults.cutAfterAppend();
    if (steps % 50 === 25) fixture.server.faults.cutBeforeAppend();
  };
  expect(await copyLog(source, server, { onProgress })).toMatchObject({ found: 0 });
  await copyLog(server, back);

  const expected = await everything(source);
  const [there, returned] = [await everything(server), await everything(back)];
  expect(contents(there)).toEqual(contents(expected));
  expect(returned).toEqual(expected);

  await Promise.all([source.close(), back.close()]);
  await fixture.stop();
  await rm(folder, { recursive: true });
});
