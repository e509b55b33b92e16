import type { ValueCheck } from './option-values.js';

/** The process of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the standard output; resolves when there is room for another. */
  print(line: string): void | Promise<void>;
  /** Writes a line to the standard error stream. */
  tell(line: string): void;
  /** Calls `stop` when the process receives a signal; before that, a signal ends it at once. */
  onInterrupt(stop: () => void): void;
  /** Lets other programs of the machine go first from now on; absent when the process is not the command's own. */
  giveWay?(): void;
  /** The standard output is a terminal that shows colours. */
  readonly hasColours?: boolean;
  /** Replaces the last line of the standard error stream; absent when that is no terminal. */
  redraw?(line: string): void;
}

/** An option of a command. One name has one meaning in all commands. */
export interface CommandOption {
  /** Name of its value in the usage, such as `FILE`; absent for a switch. */
  readonly value?: string;
  readonly summary: string;
  /** What is wrong with its value; any text is right when absent. */
  readonly check?: ValueCheck;
}

export interface CommandCall {
  readonly terminal: Terminal;
  /** Arguments, as many as `args` of the command allows. */
  readonly args: readonly string[];
  /** The server's data directory. */
  readonly dataDir: string;
  /** Value of an option that takes one; undefined when it was not given. */
  option(name: string): string | undefined;
  /** Whether a switch was given. */
  has(name: string): boolean;
}

/** A call that no command can follow, such as one without an option that is required. Its text says what to give. */
export class WrongCall extends Error {}

/** A command: usage, help, completion and checks follow from this value. */
export interface Command {
  /** One or two words, such as `users list`. */
  readonly name: string;
  /** Arguments, such as `FILE [EMAIL]`; `NAME...` takes one or more, `[NAME...]` any number. */
  readonly args?: string;
  readonly summary: string;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Why these arguments cannot be right, beyond their number. */
  complaint?(args: readonly string[]): string | undefined;
  /** @returns the exit code of the process */
  run(call: CommandCall): Promise<number>;
}

/** Commands under a heading of the usage. */
export interface CommandGroup {
  readonly heading: string;
  readonly commands: readonly Command[];
}
