import type { ByActor, RequestOf } from '#users/model';

/** A description with its HTML. */
export interface FolderDescription {
  readonly text: string;
  readonly rendered: string;
}

export type FolderCommand = ByActor &
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

export type FolderRequest = RequestOf<FolderCommand>;
