import type { Command, CommandGroup } from './command.js';
import { runCommand } from './command-line.js';
import { COMMANDS } from './commands/index.js';
import {
  COMMON_OPTIONS,
  commandsOf,
  commandUsage,
  findCommand,
  unknownCommand,
  usage,
  usageComplaint,
} from './usage.js';

const run = (): Promise<number> => Promise.resolve(0);
const list: Command = { name: 'things list', summary: 'all things', options: { all: { summary: 'all' } }, run };
const show: Command = { name: 'things show', args: 'NAME... ', summary: 'some things', run };
const add: Command = { name: 'add', args: 'THING [OTHER]', summary: 'a thing', run };
const GROUPS: readonly CommandGroup[] = [{ heading: 'Things', commands: [list, show, add] }];

test('a command is found by one word or by two', () => {
  expect(findCommand(GROUPS, ['things', 'list'])).toEqual({ command: list, args: [] });
  expect(findCommand(GROUPS, ['add', 'things', 'list'])).toEqual({ command: add, args: ['things', 'list'] });
  expect(findCommand(GROUPS, ['things'])).toBeUndefined();
  expect(findCommand(GROUPS, ['list'])).toBeUndefined();
});

test('what is missing, too much or strange is named', () => {
  expect(usageComplaint(add, ['a', 'b'], { data: 'x' })).toBeUndefined();
  expect(usageComplaint(add, [], {})).toBe('add needs THING.');
  expect(usageComplaint(add, ['a', 'b', 'c'], {})).toBe("add has an argument too many: 'c'.");
  expect(usageComplaint(show, [], {})).toBe('things show needs NAME.');
  expect(usageComplaint(show, ['a', 'b', 'c'], {})).toBeUndefined();
  expect(usageComplaint(add, ['a'], { all: true })).toBe('add has no option --all.');
  expect(usageComplaint(list, [], { all: true })).toBeUndefined();
  expect(unknownCommand(GROUPS, ['nothing'])).toBe("There is no command 'nothing'.");
  expect(unknownCommand(GROUPS, ['things'])).toBe('things needs one of: list, show.');
  expect(unknownCommand(GROUPS, ['things', 'add'])).toBe("There is no 'things add', but: list, show.");
});

test('help with the first word of commands is about these alone, and with another word about all', () => {
  expect(usage(GROUPS, 'things')).toContain('things list');
  expect(usage(GROUPS, 'things')).not.toContain('scrollback add');
  expect(usage(GROUPS, 'nothing')).toBe(usage(GROUPS));
});

test('each command, and an option of each, is in the usage, within the width of a terminal', () => {
  const text = usage(COMMANDS);
  const commands = commandsOf(COMMANDS);
  for (const { name } of commands) expect(text).toContain(`  scrollback ${name}`);
  for (const name of Object.keys(COMMON_OPTIONS)) expect(text).toContain(`  --${name}`);
  for (const command of commands)
    for (const name of Object.keys(command.options ?? {})) expect(commandUsage(command)).toContain(`  --${name}`);
  for (const line of [text, ...commands.map(commandUsage)].join('\n').split('\n'))
    expect(line.length).toBeLessThanOrEqual(120);
});

test('names are unique, and an option takes a value in all commands or in none', () => {
  const commands = commandsOf(COMMANDS);
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
  const kinds = new Map<string, boolean>();
  for (const options of [COMMON_OPTIONS, ...commands.map(({ options = {} }) => options)])
    for (const [name, { value }] of Object.entries(options)) {
      expect([name, kinds.get(name) ?? value !== undefined]).toEqual([name, value !== undefined]);
      kinds.set(name, value !== undefined);
    }
});

test.each([
  [['restore', 'x', '--to', 'tomorrow'], /^--to must be UNIX seconds, a time such as/],
  [['audit', 'message', '1', '--reason', 'r', '--as-of', '@x'], /^--as-of must be UNIX seconds/],
  [['audit', 'by', 'Ann', '--after', '2026-13-01'], /^--after must be/],
  [['audit', 'export', '--before', '@3'], /^--before must be UNIX seconds, or a time/],
  [['audit', 'export', '--format', 'csv,xls'], /^--format must be of these, with commas between: csv, /],
  [['audit', 'audits', '--patience', '0'], /^--patience must be a number of seconds/],
  [['pending', 'list', 'nope'], /^KIND must be one of: mail, /],
  [
    ['pending', 'list', '--limit', '1001'],
    /^--limit must be a whole number from 1 to 1000\. The option --help lists all commands\.$/,
  ],
  [['pending', 'drop', 'nope', '1', 'Old.'], /^KIND must be/],
  [['queues', '--limit', 'all'], /^--limit must be/],
  [
    ['streams', 'show', '1.messages', '--after', '@3'],
    /^--after must be a whole number of at least -1\. The option --help lists all commands\.$/,
  ],
  [['events', 'tail', '--count', 'x'], /^--count must be/],
  [['events', 'tail', '--actor', 'ann'], /^--actor, where it is no ID, must be one of: user/],
  [['stats', '--days', 'abc'], /^--days must be a whole number from 1 to 92\. The option --help lists all commands\.$/],
  [['doctor', '--polls', 'long'], /^--polls must be/],
  [['users', 'invite', 'a@example.test', '--role', 'king'], /^--role must be one of: owner/],
  [['users', 'role', 'a@example.test', 'king'], /^ROLE must be one of: owner/],
  [['status', '--site', 'chat.example.test'], /^--site must be the address of a server/],
] as const)('%j is a wrong call before anything is done', async (words, complaint) => {
  const told: string[] = [];
  const code = await runCommand(words, {
    environment: { DATA_DIR: '/nonexistent' },
    print: (line) => void told.push(`printed: ${line}`),
    tell: (line) => void told.push(line),
    onInterrupt: () => undefined,
  });
  expect({ code, told }).toEqual({ code: 2, told: [expect.stringMatching(complaint)] });
});
