/** What a killed run leaves in memory: its folder, and small disks mounted in it. The next run must not fail by them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { canMount, mountSmallDisk } from '../support/small-disk.js';

const TOOL = pathToFileURL(resolve(__dirname, '../../tools/memory-for-files.mjs')).href;
const withMounts = canMount() ? test : test.skip;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scrollback-leftovers-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a folder of a killed run is removed', () => {
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/events.db'), 'x');
  expect(removeInAProcess()).toEqual({ status: 0, stderr: '' });
  expect(existsSync(folder)).toBe(false);
});

withMounts('a small disk that is still mounted in it is taken off first', () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  mountSmallDisk(disk);
  writeFileSync(join(disk, 'events.db'), 'x');
  expect(removeInAProcess()).toEqual({ status: 0, stderr: '' });
  expect(existsSync(folder)).toBe(false);
});

withMounts('what cannot be removed stays, with a warning, and ends no run', () => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  mountSmallDisk(disk);
  try {
    // Nothing named `umount` is found there.
    const { status, stderr } = removeInAProcess({ PATH: folder });
    expect(status).toBe(0);
    expect(stderr).toContain(`Temporary files stay in ${folder}`);
  } finally {
    execFileSync('umount', [disk]);
  }
});

function removeInAProcess(env: NodeJS.ProcessEnv = process.env) {
  const script = `import { remove } from '${TOOL}'; remove(${JSON.stringify(folder)});`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env,
    encoding: 'utf8',
  });
  return { status, stderr };
}
