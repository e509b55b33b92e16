import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EventStoreDbStandIn } from './index.js';

test('answers the probe as a real node did', async () => {
  const standIn = await EventStoreDbStandIn.start();
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, 'probe.mjs'), standIn.url]);
    expect(stdout).toBe(await readFile(join(__dirname, 'transcript.txt'), 'utf8'));
  } finally {
    await standIn.stop();
  }
});
