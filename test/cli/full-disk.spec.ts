/** Commands that write a file on a disk that is full (needs the rights to mount a small one). */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../apps/cli/src/command-line.js';
import { canMount, mountSmallDisk } from '../support/small-disk.js';

/** More than the disk has, so that the rest of it is taken as well. */
const FILLER_BYTES = 32 * 1024 * 1024;

(canMount() ? test : test.skip)('a full disk is told in words, and leaves the former file and no draft', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'cli-full-'));
  mountSmallDisk(disk);
  try {
    const token = join(disk, 'operator.token');
    const filler = join(disk, 'filler');
    writeFileSync(token, 'the former token');
    expect(() => {
      writeFileSync(filler, Buffer.alloc(FILLER_BYTES));
    }).toThrow('ENOSPC');
    expect(await rotate(disk)).toEqual({
      code: 1,
      lines: ['There is no room left on the disk for what the command writes. Make room, and run it again.'],
    });
    expect(readFileSync(token, 'utf8')).toBe('the former token');
    expect(readdirSync(disk).sort()).toEqual(['filler', 'operator.token']);
    rmSync(filler);
    expect(await rotate(disk)).toEqual({ code: 0, lines: [`${token} holds a new token.`] });
    expect(readFileSync(token, 'utf8')).not.toBe('the former token');
  } finally {
    execFileSync('umount', [disk]);
    rmdirSync(disk);
  }
});

async function rotate(dataDir: string) {
  const lines: string[] = [];
  const tell = (line: string): void => void lines.push(line);
  const code = await runCommand(['operator-token', 'rotate', '--data', dataDir], {
    environment: {},
    print: tell,
    tell,
    onInterrupt: () => undefined,
  });
  return { code, lines };
}
