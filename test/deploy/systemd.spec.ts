/** `deploy/scrollback.service`, as far as it can be tried without systemd as the first process. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const UNIT = readFileSync(resolve(__dirname, '../../deploy/scrollback.service'), 'utf8');
const ROOT = resolve(__dirname, '../..');
const ANALYZE = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));

const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(UNIT)?.[1] ?? '';

test('the server has more time to end than it takes, and the options of its start', () => {
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(25);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const options = scripts.start.match(/--\S+/g) ?? [];
  expect(options.length).toBeGreaterThan(0);
  expect(valueOf('ExecStart')).toBe(`/usr/bin/node ${options.join(' ')} dist/bin/api.js`);
  expect(valueOf('WorkingDirectory')).toMatch(/^\//);
});

const whereSystemdIs = ANALYZE === undefined ? test.skip : test;

whereSystemdIs('systemd understands all of it, and finds it little exposed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
  try {
    const path = join(folder, 'scrollback.service');
    writeFileSync(path, UNIT.replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync(ANALYZE!, ['verify', path], { encoding: 'utf8' });
    // It also tells of other units of the machine.
    expect({ status, told: stderr.split('\n').filter((line) => line.includes('scrollback')) }).toEqual({ status: 0, told: [] }); // prettier-ignore
    const security = execFileSync(ANALYZE!, ['security', '--offline=true', '--threshold=20', path], {
      encoding: 'utf8',
    });
    expect(security).toMatch(/exposure level for scrollback\.service: 1\./);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
