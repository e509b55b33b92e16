import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreUnavailable } from '#event-store';
import { logAddress, openLog } from './log-address.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-log-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('the log is the file in the data directory, unless the settings name another', () => {
  expect(logAddress('/srv/chat', undefined)).toBe('sqlite:/srv/chat/events.db');
  expect(logAddress('/srv/chat', '')).toBe('sqlite:/srv/chat/events.db');
  expect(logAddress('/srv/chat', 'esdb://node:2113')).toBe('esdb://node:2113');
});

test('a log that is not there is not made', async () => {
  const path = join(folder, 'nowhere.db');
  await expect(openLog(`sqlite:${path}`)).rejects.toThrow(EventStoreUnavailable);
  await expect(openLog(`sqlite:${path}`)).rejects.toThrow(path);
});

test('an address that is none is refused', async () => {
  await expect(openLog('postgres://log')).rejects.toThrow(TypeError);
});
