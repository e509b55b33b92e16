import type { Command, CommandGroup } from './command.js';
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
  expect(usageComplaint(add, ['a', 'b'], ['data'])).toBeUndefined();
  expect(usageComplaint(add, [], [])).toBe('add needs THING.');
  expect(usageComplaint(add, ['a', 'b', 'c'], [])).toBe("add has an argument too many: 'c'.");
  expect(usageComplaint(show, [], [])).toBe('things show needs NAME.');
  expect(usageComplaint(show, ['a', 'b', 'c'], [])).toBeUndefined();
  expect(usageComplaint(add, ['a'], ['all'])).toBe('add has no option --all.');
  expect(usageComplaint(list, [], ['all'])).toBeUndefined();
  expect(unknownCommand(GROUPS, ['nothing'])).toBe("There is no command 'nothing'.");
  expect(unknownCommand(GROUPS, ['things'])).toBe('things needs one of: list, show.');
  expect(unknownCommand(GROUPS, ['things', 'add'])).toBe("There is no 'things add', but: list, show.");
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
