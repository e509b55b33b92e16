import type { Command, CommandGroup, CommandOption } from './command.js';
import { address } from './option-values.js';

/** Options of all commands. */
export const COMMON_OPTIONS: Readonly<Record<string, CommandOption>> = {
  data: { value: 'DIR', summary: "the server's data directory (default: DATA_DIR, or ./data)" },
  credentials: {
    value: 'FILE',
    summary: "key of an owner, instead of the operator's token (OPERATOR_TOKEN_FILE, or DIR/operator.token)",
  },
  site: {
    value: 'URL',
    summary: 'address of the server (default: SITE_URL, or the one in DIR/owner.zuliprc)',
    check: address,
  },
  help: { summary: 'this text; after a command, its arguments and options' },
  version: { summary: 'the version of this program' },
};

const WIDTH = 118;
const COLUMN = 34;

/** An argument of a command, parsed from its `args`. */
interface Argument {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isRepeated: boolean;
}

function argumentsOf({ args = '' }: Command): readonly Argument[] {
  return args
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({
      name: word.replace(/[^A-Z_]/g, ''),
      isRequired: !word.startsWith('['),
      isRepeated: word.includes('...'),
    }));
}

/** The command that the words begin with, and what remains of them. */
export function findCommand(
  groups: readonly CommandGroup[],
  words: readonly string[],
): { readonly command: Command; readonly args: readonly string[] } | undefined {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = commandsOf(groups).find((known) => known.name === name && name.split(' ').length === count);
    if (command !== undefined) return { command, args: words.slice(count) };
  }
  return undefined;
}

export function commandsOf(groups: readonly CommandGroup[]): readonly Command[] {
  return groups.flatMap(({ commands }) => commands);
}

/**
 * Why the command cannot be run with these arguments and options.
 * @param options by name: the value of one that takes one, true for a switch
 */
export function usageComplaint(
  command: Command,
  args: readonly string[],
  options: Readonly<Record<string, unknown>>,
): string | undefined {
  const expected = argumentsOf(command);
  const missing = expected.find(({ isRequired, isRepeated }, index) => {
    const given = isRepeated ? args.slice(index) : args.slice(index, index + 1);
    return (isRequired && given.length === 0) || given.includes('');
  });
  if (missing !== undefined) return `${command.name} needs ${missing.name}.`;
  const surplus = expected.some(({ isRepeated }) => isRepeated) ? undefined : args[expected.length];
  if (surplus !== undefined) return `${command.name} has an argument too many: '${surplus}'.`;
  const known = { ...COMMON_OPTIONS, ...command.options };
  const strange = Object.keys(options).find((name) => !(name in known));
  if (strange !== undefined) return `${command.name} has no option --${strange}.`;
  for (const [name, value] of Object.entries(options)) {
    const complaint = typeof value === 'string' ? known[name]?.check?.(`--${name}`, value) : undefined;
    if (complaint !== undefined) return complaint;
  }
  return command.complaint?.(args);
}

/** Complaint of a command whose first argument is MESSAGE_ID. */
export function messageIdComplaint([id = '']: readonly string[]): string | undefined {
  return /^\d{1,15}$/.test(id) ? undefined : 'MESSAGE_ID must be a whole number.';
}

/** Why no command is meant by these words. */
export function unknownCommand(groups: readonly CommandGroup[], [first = '', second]: readonly string[]): string {
  const actions = commandsOf(groups)
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name }) => name.slice(first.length + 1));
  if (actions.length === 0) return `There is no command '${first}'.`;
  const list = actions.join(', ');
  return second === undefined ? `${first} needs one of: ${list}.` : `There is no '${first} ${second}', but: ${list}.`;
}

/**
 * The text of `--help`.
 * @param first the word with which the commands begin that are asked for; all are told when none does
 */
export function usage(groups: readonly CommandGroup[], first = ''): string {
  const named = groups.map(({ heading, commands }) => ({
    heading,
    commands: commands.filter(({ name }) => name.startsWith(`${first} `)),
  }));
  const asked = named.filter(({ commands }) => commands.length > 0);
  const sections = (asked.length > 0 ? asked : groups).map(({ heading, commands }) =>
    [`${heading}:`, ...commands.map(synopsis)].join('\n'),
  );
  return [
    'scrollback: for auditors and operators',
    ...sections,
    optionsText('Options', COMMON_OPTIONS),
    'The log is DIR/events.db unless EVENT_STORE_URL names another. Commands for the running server call it, or the proxy in\nfront of several.',
  ].join('\n\n');
}

/** The text of `COMMAND --help`. */
export function commandUsage(command: Command): string {
  const { options = {} } = command;
  const own = Object.keys(options).length === 0 ? [] : [optionsText('Options', options)];
  return [synopsis(command), ...own, optionsText('Options of all commands', COMMON_OPTIONS)].join('\n\n');
}

/** What may follow these words of a command, with a summary each: words of commands, and options. */
export function completionsOf(groups: readonly CommandGroup[]): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const choices = new Map<string, Map<string, string>>();
  const add = (line: string, word: string, summary: string): void => {
    const known = choices.get(line) ?? new Map<string, string>();
    choices.set(line, known.set(word, known.get(word) ?? summary));
  };
  for (const [name, { summary }] of Object.entries(COMMON_OPTIONS)) add('', `--${name}`, summary);
  for (const { name, summary, options = {} } of commandsOf(groups)) {
    const [first = '', second] = name.split(' ');
    if (second === undefined) add('', first, summary);
    else {
      add('', first, `commands: ${first} …`);
      add(first, second, summary);
    }
    for (const [option, { summary: what }] of Object.entries({ ...options, ...COMMON_OPTIONS }))
      add(name, `--${option}`, what);
  }
  return choices;
}

/** Options that take a value, as they are written. */
export function valueOptionsOf(groups: readonly CommandGroup[]): readonly string[] {
  const all = [COMMON_OPTIONS, ...commandsOf(groups).map(({ options = {} }) => options)];
  const names = all.flatMap((options) => Object.entries(options).flatMap(([name, { value }]) => (value ? [name] : [])));
  return [...new Set(names)].map((name) => `--${name}`);
}

function synopsis({ name, args = '', summary }: Command): string {
  return row(`scrollback ${name} ${args}`.trimEnd(), summary);
}

function optionsText(heading: string, options: Readonly<Record<string, CommandOption>>): string {
  const rows = Object.entries(options).map(([name, { value, summary }]) =>
    row(value === undefined ? `--${name}` : `--${name} ${value}`, summary),
  );
  return [`${heading}:`, ...rows].join('\n');
}

/** The first text, and the second in a column beside it, or below it where it does not fit. */
function row(first: string, second: string): string {
  const lines = [''];
  for (const word of second.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > WIDTH - COLUMN) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  const start = `  ${first}`;
  const fits = start.length + 2 <= COLUMN;
  const column = lines.map((line, index) => `${(fits && index === 0 ? start : '').padEnd(COLUMN)}${line}`);
  return [...(fits ? [] : [start]), ...column].join('\n');
}
