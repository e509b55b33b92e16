import { Type } from 'typebox';
import { boolean, integer, json, jsonOrText, Param } from '#http';
import type { PermissionUpdate } from '../realm.commands.js';

const HOLDERS_MAX = 10_000;

const Id = Type.Integer({ minimum: 1 });
const Holders = Type.Union([
  Id,
  Type.Object({
    direct_members: Type.Array(Id, { maxItems: HOLDERS_MAX }),
    direct_subgroups: Type.Array(Id, { maxItems: HOLDERS_MAX }),
  }),
]);
const permission = json(Type.Object({ new: Holders, old: Type.Optional(Holders) }));

/** Seconds, or `unlimited`. */
const limit = jsonOrText(Type.Integer({ minimum: 1 }));

export class ChangeRealmParams {
  @Param(boolean(), { optional: true })
  allow_message_editing?: boolean;

  @Param(limit, { optional: true, description: 'Seconds, or `unlimited`.' })
  message_content_edit_limit_seconds?: number | string;

  @Param(limit, { optional: true, description: 'Seconds, or `unlimited`.' })
  message_content_delete_limit_seconds?: number | string;

  @Param(limit, { optional: true, description: 'Seconds, or `unlimited`.' })
  move_messages_within_stream_limit_seconds?: number | string;

  @Param(limit, { optional: true, description: 'Seconds, or `unlimited`.' })
  move_messages_between_streams_limit_seconds?: number | string;

  @Param(jsonOrText(Type.String()), { optional: true, description: '`all`, `moves` or `none`.' })
  message_edit_history_visibility_policy?: string;

  @Param(boolean(), { optional: true })
  enable_read_receipts?: boolean;

  @Param(integer({ min: -1 }), { optional: true, description: 'Channel that reports of messages go to, or -1.' })
  moderation_request_channel_id?: number;

  @Param(jsonOrText(Type.String()), { optional: true, description: '`allow_empty_topic` or `disable_empty_topic`.' })
  topics_policy?: string;

  @Param(permission, { optional: true })
  can_delete_any_message_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  can_delete_own_message_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  can_mention_many_users_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  can_move_messages_between_channels_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  can_move_messages_between_topics_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  can_resolve_topics_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  direct_message_initiator_group?: PermissionUpdate;

  @Param(permission, { optional: true })
  direct_message_permission_group?: PermissionUpdate;
}
