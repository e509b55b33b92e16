import type { User } from '#organization';

interface Common {
  readonly actor: User;
  /** Seconds since the epoch. */
  readonly at: number;
}

export type PlaygroundCommand = Common &
  (
    | {
        readonly type: 'add-playground';
        readonly name: string;
        readonly pygmentsLanguage: string;
        /** A URL template (RFC 6570) over `code`. */
        readonly urlTemplate: string;
      }
    | { readonly type: 'remove-playground'; readonly playgroundId: number }
  );

/** What is asked for, without who asks and when. */
export type PlaygroundRequest = PlaygroundCommand extends infer Command
  ? Command extends PlaygroundCommand
    ? Omit<Command, keyof Common>
    : never
  : never;
