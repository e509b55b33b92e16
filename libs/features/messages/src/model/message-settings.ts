import { LIMITS, REALM_CONSTANTS } from '#realm/model';
import type { Directory } from '#people';
import type { GroupSetting } from '#groups/model';

/** Code points (register.md §4). */
export const MESSAGE_LENGTH_MAX = LIMITS.max_message_length;
export const TOPIC_LENGTH_MAX = LIMITS.max_topic_length;

/** Stands for the empty topic towards clients that cannot show one, and is read as it (rules.md §10). */
export const EMPTY_TOPIC_DISPLAY_NAME = REALM_CONSTANTS.empty_topic_display_name;

/** An edit that was in flight when a time limit expired is accepted (rules.md §6); deletion has no such grace (§14). */
export const EDIT_GRACE_SECONDS = 20;

/** Wildcard mentions need a permission when they reach more users than this (rules.md §7). */
export const WILDCARD_FREE_AUDIENCE_MAX = 15;

/** The address of a direct conversation is contained in every message and index entry of it. */
export const DIRECT_RECIPIENTS_MAX = 200;

/** Client name of the server's own notices. */
export const INTERNAL_CLIENT = 'Internal';

/** All reactions of a message are stored in one document. */
export const REACTIONS_PER_USER_MAX = 100;

/** The organization's settings for messages (register.md §3). Times are in seconds; null means no limit. */
export interface MessageSettings {
  readonly allowMessageEditing: boolean;
  readonly contentEditLimitSeconds: number | null;
  readonly contentDeleteLimitSeconds: number | null;
  readonly moveWithinChannelLimitSeconds: number | null;
  readonly moveBetweenChannelsLimitSeconds: number | null;
  readonly topicsPolicy: 'allow_empty_topic' | 'disable_empty_topic';
  readonly canMoveMessagesBetweenTopicsGroup: GroupSetting;
  readonly canResolveTopicsGroup: GroupSetting;
}

/** The current settings. */
export function messageSettings(realm: Pick<Directory, 'settings' | 'permission'>): MessageSettings {
  const { settings } = realm;
  return {
    allowMessageEditing: settings.allow_message_editing,
    contentEditLimitSeconds: settings.message_content_edit_limit_seconds,
    contentDeleteLimitSeconds: settings.message_content_delete_limit_seconds,
    moveWithinChannelLimitSeconds: settings.move_messages_within_stream_limit_seconds,
    moveBetweenChannelsLimitSeconds: settings.move_messages_between_streams_limit_seconds,
    topicsPolicy: settings.topics_policy,
    canMoveMessagesBetweenTopicsGroup: realm.permission('can_move_messages_between_topics_group'),
    canResolveTopicsGroup: realm.permission('can_resolve_topics_group'),
  };
}

/** The topics policy in effect in a channel with this setting. */
export function topicsPolicyIn({ settings }: Pick<Directory, 'settings'>, policy: string): string {
  return policy === 'inherit' ? settings.topics_policy : policy;
}
