import { runCommand } from './command-line.js';

async function told(...args: string[]) {
  const lines: string[] = [];
  const code = await runCommand(args, {
    environment: {},
    print: (line) => void lines.push(line),
    tell: (line) => void lines.push(line),
    onInterrupt: () => undefined,
  });
  return { code, lines };
}

const wrong = (line: string) => ({ code: 2, lines: [line] });

test('an option that no command has, or that lacks its value, is named in a sentence', async () => {
  expect(await told('status', '--nope')).toEqual(
    wrong('No command has an option --nope. The option --help lists all commands.'),
  );
  expect(await told('history', '-1')).toEqual(
    wrong('No command has an option -1. The option --help lists all commands.'),
  );
  expect(await told('status', '--site')).toEqual(
    wrong("Option '--site <value>' argument missing. The option --help lists all commands."),
  );
  expect(await told('status', '--site', '--json')).toEqual(
    wrong("Option '--site' argument is ambiguous. The option --help lists all commands."),
  );
});

test('a call without what a command needs is a wrong one, before anything is read or asked', async () => {
  expect(await told('repair')).toEqual(wrong('Name the backup: repair --from BACKUP.'));
  const nothing = wrong('Name the projections that are to be rebuilt, or give --all.');
  expect(await told('rebuild', '--data', '/nowhere')).toEqual(nothing);
  expect(await told('rebuild', 'messages', '--all', '--data', '/nowhere')).toEqual(nothing);
  expect((await told('backup', '/nowhere', '--verify', '--with-secrets')).code).toBe(2);
});
