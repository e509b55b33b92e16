import { LIMITS, REALM_SETTINGS, type Directory, type GroupSetting } from '#organization';

/** Code points (specification, "Limits"; register.md §4). */
export const MESSAGE_LENGTH_MAX = LIMITS.max_message_length;
export const TOPIC_LENGTH_MAX = LIMITS.max_topic_length;

/** Stands for the empty topic towards clients that cannot show one, and is read as it (rules.md §10). */
export const EMPTY_TOPIC_DISPLAY_NAME = REALM_SETTINGS.empty_topic_display_name;

/** A request that was on its way when a time limit struck is still in time (rules.md §6). */
export const TIME_LIMIT_GRACE_SECONDS = 20;

/** Wildcard mentions need a permission where they reach more people than this (rules.md §7). */
export const WILDCARD_FREE_AUDIENCE_MAX = 15;

/** The address of a direct conversation is spelled out in every message and index entry of it. */
export const DIRECT_RECIPIENTS_MAX = 200;

/** All documents that a move touches change in one commit. */
export const MOVED_MESSAGES_MAX = 50_000;
/** One fact names all moved messages, as runs of IDs, and must fit into one append (1 MiB) with an edit in it. */
export const MOVED_RUNS_MAX = 10_000;
/** For the same reason: an edit holds the HTML before and after. UTF-8. */
export const RENDERED_BYTES_MAX = 250_000;

/** Name of the client that the server's own notices come from. */
export const INTERNAL_CLIENT = 'Internal';

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
  readonly canMoveMessagesBetweenChannelsGroup: GroupSetting;
  readonly canMoveMessagesBetweenTopicsGroup: GroupSetting;
  readonly canResolveTopicsGroup: GroupSetting;
}

/** What holds now. */
export function messageSettings(realm: Pick<Directory, 'settings' | 'permission'>): MessageSettings {
  const { settings } = realm;
  return {
    allowMessageEditing: settings.allow_message_editing,
    contentEditLimitSeconds: settings.message_content_edit_limit_seconds,
    contentDeleteLimitSeconds: settings.message_content_delete_limit_seconds,
    moveWithinChannelLimitSeconds: settings.move_messages_within_stream_limit_seconds,
    moveBetweenChannelsLimitSeconds: settings.move_messages_between_streams_limit_seconds,
    topicsPolicy: settings.topics_policy,
    canMoveMessagesBetweenChannelsGroup: realm.permission('can_move_messages_between_channels_group'),
    canMoveMessagesBetweenTopicsGroup: realm.permission('can_move_messages_between_topics_group'),
    canResolveTopicsGroup: realm.permission('can_resolve_topics_group'),
  };
}

/** The topics policy that holds in a channel with this setting. */
export function topicsPolicyIn({ settings }: Pick<Directory, 'settings'>, policy: string): string {
  return policy === 'inherit' ? settings.topics_policy : policy;
}
