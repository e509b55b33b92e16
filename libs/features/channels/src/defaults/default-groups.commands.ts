import type { ByActor, RequestOf } from '#users/model';

export type DefaultGroupCommand = ByActor &
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

export type DefaultGroupRequest = RequestOf<DefaultGroupCommand>;
