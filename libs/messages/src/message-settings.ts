import { systemGroupId, type GroupSetting } from '#organization';

/** Code points (specification, "Limits"; register.md §4). */
export const MESSAGE_LENGTH_MAX = 10_000;
export const TOPIC_LENGTH_MAX = 60;

/** Stands for the empty topic towards clients that cannot show one, and is read as it (rules.md §10). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat';

/** A request that was on its way when a time limit struck is still in time (rules.md §6). */
export const TIME_LIMIT_GRACE_SECONDS = 20;

/** Wildcard mentions need a permission where they reach more people than this (rules.md §7). */
export const WILDCARD_FREE_AUDIENCE_MAX = 15;

/** The address of a direct conversation is spelled out in every message and index entry of it. */
export const DIRECT_RECIPIENTS_MAX = 200;

/** All documents that a move touches change in one commit. */
export const MOVED_MESSAGES_MAX = 50_000;
/** One fact names all moved messages, as runs of IDs, and must fit into one append (1 MiB) with an edit beside it. */
export const MOVED_RUNS_MAX = 10_000;
/** For the same reason: an edit holds the HTML before and after. UTF-8. */
export const RENDERED_BYTES_MAX = 250_000;

/** All reactions of a message live in one document. */
export const REACTIONS_PER_USER_MAX = 100;

/** What the organization decides about messages (register.md §3). Times are in seconds, and null is no limit. */
export interface MessageSettings {
  readonly allowMessageEditing: boolean;
  readonly contentEditLimitSeconds: number | null;
  readonly contentDeleteLimitSeconds: number | null;
  readonly moveWithinChannelLimitSeconds: number | null;
  readonly moveBetweenChannelsLimitSeconds: number | null;
  readonly topicsPolicy: 'allow_empty_topic' | 'disable_empty_topic';
  readonly canDeleteAnyMessageGroup: GroupSetting;
  readonly canDeleteOwnMessageGroup: GroupSetting;
  readonly canMentionManyUsersGroup: GroupSetting;
  readonly canMoveMessagesBetweenChannelsGroup: GroupSetting;
  readonly canMoveMessagesBetweenTopicsGroup: GroupSetting;
  readonly canResolveTopicsGroup: GroupSetting;
}

export const MESSAGE_SETTINGS: MessageSettings = {
  allowMessageEditing: true,
  contentEditLimitSeconds: 600,
  contentDeleteLimitSeconds: 600,
  moveWithinChannelLimitSeconds: 604_800,
  moveBetweenChannelsLimitSeconds: 604_800,
  topicsPolicy: 'allow_empty_topic',
  canDeleteAnyMessageGroup: systemGroupId('role:administrators'),
  canDeleteOwnMessageGroup: systemGroupId('role:everyone'),
  canMentionManyUsersGroup: systemGroupId('role:administrators'),
  canMoveMessagesBetweenChannelsGroup: systemGroupId('role:members'),
  canMoveMessagesBetweenTopicsGroup: systemGroupId('role:everyone'),
  canResolveTopicsGroup: systemGroupId('role:everyone'),
};
