import type { User } from '#organization';

interface Common {
  readonly actor: User;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** A description with its HTML. */
export interface FolderDescription {
  readonly text: string;
  readonly rendered: string;
}

export type FolderCommand = Common &
  (
    | { readonly type: 'create-folder'; readonly name: string; readonly description: FolderDescription }
    | {
        readonly type: 'change-folder';
        readonly folderId: number;
        readonly name?: string | undefined;
        readonly description?: FolderDescription | undefined;
        readonly isArchived?: boolean | undefined;
      }
    /** Names each folder once. */
    | { readonly type: 'reorder-folders'; readonly folderIds: readonly number[] }
  );

/** A request without its actor and time. */
export type FolderRequest = FolderCommand extends infer Command
  ? Command extends FolderCommand
    ? Omit<Command, keyof Common>
    : never
  : never;
