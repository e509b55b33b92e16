import { parseArgs } from 'node:util';
import { SERVER_VERSION } from '#realm/model';
import { isOfFullDisk } from './backup/durable-file.js';
import { type Terminal, WrongCall } from './command.js';
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

/** Exit code of a call that no command can follow. */
const WRONG_CALL = 2;

/** Runs a command; resolves to the exit code of the process: 0, 1 for a failure, 2 for a wrong call, or one of the command's own. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await commandOf(args, terminal);
  } catch (error) {
    const wrongOption = wrongOptionIn(error);
    terminal.tell(wrongOption ?? textOf(error));
    return wrongOption !== undefined || error instanceof WrongCall ? WRONG_CALL : 1;
  }
}

async function commandOf(args: readonly string[], terminal: Terminal): Promise<number> {
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: knownOptions() });
  const words = positionals[0] === 'help' ? positionals.slice(1) : positionals;
  const found = findCommand(COMMANDS, words);
  if (values['help'] === true || positionals[0] === 'help') {
    await terminal.print(found === undefined ? usage(COMMANDS, words[0]) : commandUsage(found.command));
    return 0;
  }
  if (values['version'] === true) {
    await terminal.print(SERVER_VERSION);
    return 0;
  }
  if (words.length === 0) {
    terminal.tell(usage(COMMANDS));
    return WRONG_CALL;
  }
  const complaint =
    found === undefined ? unknownCommand(COMMANDS, words) : usageComplaint(found.command, found.args, values);
  if (found === undefined || complaint !== undefined) {
    terminal.tell(`${complaint ?? ''} The option --help lists all commands.`);
    return WRONG_CALL;
  }
  return found.command.run({
    terminal,
    args: found.args,
    dataDir: option('data') ?? dataDirectory(terminal.environment['DATA_DIR']),
    option,
    has: (name) => values[name] === true,
  });

  function option(name: string): string | undefined {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  }
}

/** Options of all commands, since an option may stand before the words of its command. */
function knownOptions(): Record<string, { type: 'string' | 'boolean'; short?: string }> {
  const given = [COMMON_OPTIONS, ...commandsOf(COMMANDS).map(({ options = {} }) => options)];
  const known = Object.fromEntries(
    given
      .flatMap((options) => Object.entries(options))
      .map(([name, { value }]) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const) }]),
  );
  return { ...known, help: { type: 'boolean', short: 'h' } };
}

/** What to tell of a failure: a full disk in words, since the system's own name neither what to do nor always a file. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!isOfFullDisk(error)) return error.message;
  return 'There is no room left on the disk for what the command writes. Make room, and run it again.';
}

/** What is wrong with an option, in one sentence; undefined for any other error. */
function wrongOptionIn(error: unknown): string | undefined {
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_')))
    return undefined;
  // Node's own text goes on with advice about arguments that begin with a dash, which no command has.
  const [first = ''] = error.message.split('\n', 1);
  const option = /^Unknown option '([^']*)'/.exec(first)?.[1];
  const complaint = option === undefined ? first.replace(/\.?$/, '.') : `No command has an option ${option}.`;
  return `${complaint} The option --help lists all commands.`;
}

/** Like the server: an empty value counts as absent. */
function dataDirectory(given: string | undefined): string {
  return given === undefined || given === '' ? './data' : given;
}
