import type { User } from '#organization';

interface Common {
  readonly actor: User;
  /** Seconds since the epoch. */
  readonly at: number;
}

export type DefaultGroupCommand = Common &
  (
    | {
        readonly type: 'create-default-group';
        readonly name: string;
        readonly description: string;
        readonly channelNames: readonly string[];
      }
    | {
        readonly type: 'describe-default-group';
        readonly defaultGroupId: number;
        readonly name: string | undefined;
        readonly description: string | undefined;
      }
    | {
        readonly type: 'add-to-default-group' | 'remove-from-default-group';
        readonly defaultGroupId: number;
        readonly channelNames: readonly string[];
      }
    | { readonly type: 'remove-default-group'; readonly defaultGroupId: number }
  );

/** A request without its actor and time. */
export type DefaultGroupRequest = DefaultGroupCommand extends infer Command
  ? Command extends DefaultGroupCommand
    ? Omit<Command, keyof Common>
    : never
  : never;
