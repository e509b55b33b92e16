/** The units of `deploy`, as far as they can be tried without systemd as the first process. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runCommand } from '../../apps/cli/src/command-line.js';

const ROOT = resolve(__dirname, '../..');
const unitOf = (name: string): string => readFileSync(join(ROOT, 'deploy', name), 'utf8');
const UNIT = unitOf('scrollback.service');
const BACKUP = unitOf('scrollback-backup.service');
const ANALYZE = ['/usr/bin/systemd-analyze', '/bin/systemd-analyze'].find((path) => existsSync(path));

const valueOf = (name: string, unit = UNIT): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';

test('the server has more time to end than it takes, and the options of its start', () => {
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(25);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const options = scripts.start.match(/--\S+/g) ?? [];
  expect(options.length).toBeGreaterThan(0);
  expect(valueOf('ExecStart')).toBe(`/usr/bin/node ${options.join(' ')} dist/bin/api.js`);
  expect(valueOf('WorkingDirectory')).toMatch(/^\//);
});

test('the backup reads what the server writes, as its user, by a command that there is', async () => {
  for (const name of ['User', 'Group', 'WorkingDirectory', 'EnvironmentFile'])
    expect([name, valueOf(name, BACKUP)]).toEqual([name, valueOf(name)]);
  expect(BACKUP.match(/^Environment=.*$/gm)).toEqual(UNIT.match(/^Environment=.*$/gm));
  const [, command = '', ...args] = valueOf('ExecStart', BACKUP).split(' ');
  expect(command).toBe('dist/bin/cli.js');
  const [name = '', folder = '', ...options] = args;
  expect(valueOf('ReadWritePaths', BACKUP).split(' ')).toEqual(['/var/lib/scrollback', folder]);
  let help = '';
  const terminal = { environment: {}, print: (line: string) => void (help += line), tell: () => undefined, onInterrupt: () => undefined }; // prettier-ignore
  expect(await runCommand([name, '--help'], terminal)).toBe(0);
  expect(options.filter((option) => !help.includes(option))).toEqual([]);
  expect(unitOf('scrollback-backup.timer')).toContain('OnCalendar=');
});

const whereSystemdIs = ANALYZE === undefined ? test.skip : test;

whereSystemdIs('systemd understands all of it, and finds it little exposed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
  try {
    const units = ['scrollback.service', 'scrollback-backup.service', 'scrollback-backup.timer'];
    const paths = units.map((name) => {
      const path = join(folder, name);
      writeFileSync(path, unitOf(name).replace('/usr/bin/node', process.execPath));
      return path;
    });
    const { status, stderr } = spawnSync(ANALYZE!, ['verify', ...paths], { encoding: 'utf8' });
    // It also tells of other units of the machine.
    expect({ status, told: stderr.split('\n').filter((line) => line.includes('scrollback')) }).toEqual({ status: 0, told: [] }); // prettier-ignore
    for (const path of paths.filter((each) => each.endsWith('.service'))) {
      const security = execFileSync(ANALYZE!, ['security', '--offline=true', '--threshold=20', path], {
        encoding: 'utf8',
      });
      expect(security).toMatch(/exposure level for scrollback[\w-]*\.service: 1\./);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
