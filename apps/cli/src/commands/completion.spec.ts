import { spawnSync } from 'node:child_process';
import { COMMANDS } from './index.js';
import { commandsOf, findCommand } from '../usage.js';

async function scriptFor(shell: string): Promise<string> {
  const lines: string[] = [];
  const terminal = { environment: {}, print: (line: string) => void lines.push(line), tell: () => undefined };
  const call = { dataDir: '', option: () => undefined, has: () => false, args: [shell] };
  await findCommand(COMMANDS, ['completion'])?.command.run({
    ...call,
    terminal: { ...terminal, onInterrupt: () => undefined },
  });
  return lines.join('\n');
}

/** What bash offers for the last of the words. */
async function completed(...words: string[]): Promise<readonly string[]> {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `${await scriptFor('bash')}
    cd /var/empty 2>/dev/null || cd /proc/self/fdinfo
    COMP_WORDS=(scrollback ${list}); COMP_CWORD=${words.length}; _scrollback; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '' && !/^\d+$/.test(word));
}

test('bash completes the words of commands, and their options', async () => {
  const first = new Set(commandsOf(COMMANDS).map(({ name }) => name.split(' ')[0]));
  expect(new Set((await completed('')).filter((word) => !word.startsWith('-')))).toEqual(first);
  expect(await completed('hi')).toEqual(['history']);
  expect(await completed('users', 'r')).toEqual(['role', 'reset-password']);
  expect(await completed('--data', 'somewhere', 'users', 'l')).toEqual(['list']);
  expect(await completed('users', 'invite', 'ann@example.test', '--r')).toEqual(['--role']);
  expect(await completed('verify', '--si')).toEqual(['--site']);
});

test('zsh is told the summary of each', async () => {
  const script = await scriptFor('zsh');
  expect(script).toMatch(/^#compdef scrollback\n/);
  for (const { name, summary } of commandsOf(COMMANDS))
    expect(script).toContain(`'${name.split(' ').at(-1) ?? ''}:${summary.replaceAll("'", "'\\''")}'`);
});
