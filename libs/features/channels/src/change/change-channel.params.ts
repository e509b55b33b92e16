import { Type } from 'typebox';
import { boolean, json, jsonOrText, nullable, Param, Shape, text, unquoted } from '#http';
import { type GroupSettingUpdate, GroupSettingUpdateSchema } from '#groups/model';
import { IsIn, MaxCharacters } from '#validation';
import { CHANNEL_DESCRIPTION_LENGTH_MAX, CHANNEL_NAME_LENGTH_MAX, TOPICS_POLICIES } from '../channel-settings.js';
import { IsRetention } from '../http/channels.params.js';

// Texts that are slightly too long get their own refusal text later; far longer ones need not be counted.
const IsName = MaxCharacters(10 * CHANNEL_NAME_LENGTH_MAX);
const IsDescription = MaxCharacters(10 * CHANNEL_DESCRIPTION_LENGTH_MAX);
const IsUpdate = Shape(GroupSettingUpdateSchema);

export class ChangeChannelParams {
  @Param(text(), { optional: true })
  @IsName
  new_name?: string;

  @Param(text(), { optional: true })
  @IsDescription
  description?: string;

  @Param(boolean(), { optional: true })
  is_private?: boolean;

  @Param(boolean(), { optional: true })
  is_web_public?: boolean;

  @Param(boolean(), { optional: true })
  history_public_to_subscribers?: boolean;

  @Param(boolean(), { optional: true })
  is_default_stream?: boolean;

  @Param(boolean(), { optional: true, description: '`false` unarchives the channel.' })
  is_archived?: boolean;

  /** Days, `realm_default` or `unlimited`. */
  @Param(jsonOrText(), { optional: true })
  @IsRetention
  message_retention_days?: number | 'realm_default' | 'unlimited';

  @Param(nullable(json()), { optional: true, description: '`null` takes the channel out of its folder.' })
  @Shape(Type.Integer({ minimum: 1 }))
  folder_id?: number | null;

  @Param(unquoted(), { optional: true })
  @IsIn(TOPICS_POLICIES)
  topics_policy?: (typeof TOPICS_POLICIES)[number];

  @Param(json(), { optional: true })
  @IsUpdate
  can_add_subscribers_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_administer_channel_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_create_topic_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_delete_any_message_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_delete_own_message_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_move_messages_out_of_channel_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_move_messages_within_channel_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_remove_subscribers_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_resolve_topics_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_send_message_group?: GroupSettingUpdate;

  @Param(json(), { optional: true })
  @IsUpdate
  can_subscribe_group?: GroupSettingUpdate;
}
