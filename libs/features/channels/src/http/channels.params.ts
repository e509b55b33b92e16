import { Type } from 'typebox';
import {
  boolean,
  integer,
  json,
  jsonOrText,
  jsonWord,
  nullable,
  Param,
  Shape,
  ShapeOrText,
  text,
  unquoted,
} from '#http';
import { type WireGroupSetting, WireGroupSettingSchema } from '#groups/model';
import { IsIn, MaxCharacters, stacked, ValidateBy } from '#validation';
import { CHANNEL_DESCRIPTION_LENGTH_MAX, TOPICS_POLICIES } from '../channel-settings.js';

const CHANNELS_MAX = 1000;
const PRINCIPALS_MAX = 10_000;
const NAME_TEXT_MAX = 1000;

const Id = Type.Integer({ minimum: 1 });
const Principals = Type.Union([
  Type.Array(Id, { maxItems: PRINCIPALS_MAX }),
  Type.Array(Type.String({ maxLength: NAME_TEXT_MAX }), { maxItems: PRINCIPALS_MAX }),
]);

const IsGroupSetting = Shape(WireGroupSettingSchema);
const ArePrincipals = Shape(Principals);

/** Of `message_retention_days`: a number of days or one of two words. */
export const IsRetention = stacked(
  ShapeOrText(Type.Union([Type.Integer({ minimum: 1 }), Type.String({ maxLength: 20 })])),
  ValidateBy({
    name: 'isRetention',
    validator: {
      validate: (value) => typeof value !== 'string' || value === 'realm_default' || value === 'unlimited',
      defaultMessage: () => '$property has an invalid value',
    },
  }),
);

const NamedChannels = Type.Array(
  Type.Object({
    name: Type.String({ maxLength: NAME_TEXT_MAX }),
    description: Type.Optional(Type.String({ maxLength: 10 * CHANNEL_DESCRIPTION_LENGTH_MAX })),
    color: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  { maxItems: CHANNELS_MAX },
);
const Names = Type.Array(Type.String({ maxLength: NAME_TEXT_MAX }), { maxItems: CHANNELS_MAX });

/** Bounds comma-joined text like the list that it stands for: each name is looked up in one turn. */
const AreJoinedNames = stacked(
  ShapeOrText(Names),
  ValidateBy({
    name: 'areJoinedNames',
    validator: {
      validate: (value) => typeof value !== 'string' || areWithinLimits(value.split(',', CHANNELS_MAX + 1)),
      defaultMessage: () => `$property has more than ${CHANNELS_MAX} names, or one that is too long`,
    },
  }),
);

function areWithinLimits(names: readonly string[]): boolean {
  return names.length <= CHANNELS_MAX && names.every(({ length }) => length <= NAME_TEXT_MAX);
}

/** Settings of channels that a request creates. */
export class NewChannelParams {
  @Param(boolean(), { default: false })
  announce!: boolean;

  @Param(boolean(), { default: true })
  send_new_subscription_messages!: boolean;

  @Param(boolean(), { default: false })
  invite_only!: boolean;

  @Param(boolean(), { default: false })
  is_web_public!: boolean;

  @Param(boolean(), { default: false })
  is_default_stream!: boolean;

  @Param(boolean(), { optional: true })
  history_public_to_subscribers?: boolean;

  /** Days, `realm_default` or `unlimited`. */
  @Param(jsonOrText(), { optional: true })
  @IsRetention
  message_retention_days?: number | 'realm_default' | 'unlimited';

  @Param(unquoted(), { default: 'inherit' })
  @IsIn(TOPICS_POLICIES)
  topics_policy!: (typeof TOPICS_POLICIES)[number];

  @Param(nullable(json()), { optional: true })
  @Shape(Id)
  folder_id?: number | null;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_add_subscribers_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_administer_channel_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_create_topic_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_delete_any_message_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_delete_own_message_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_move_messages_out_of_channel_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_move_messages_within_channel_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_remove_subscribers_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_resolve_topics_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_send_message_group?: WireGroupSetting;

  @Param(json(), { optional: true })
  @IsGroupSetting
  can_subscribe_group?: WireGroupSetting;
}

export class SubscribeParams extends NewChannelParams {
  @Param(json())
  @Shape(NamedChannels)
  subscriptions!: { name: string; description?: string; color?: string }[];

  @Param(json(), { optional: true })
  @ArePrincipals
  principals?: number[] | string[];

  @Param(boolean(), { default: true })
  authorization_errors_fatal!: boolean;
}

export class CreateChannelParams extends NewChannelParams {
  @Param(text())
  @MaxCharacters(NAME_TEXT_MAX)
  name!: string;

  @Param(text(), { default: '' })
  @MaxCharacters(10 * CHANNEL_DESCRIPTION_LENGTH_MAX)
  description!: string;

  @Param(json())
  @Shape(Type.Array(Id, { maxItems: PRINCIPALS_MAX }))
  subscribers!: number[];
}

export class UnsubscribeParams {
  /** Names; comma-joined text is accepted too, since one client sends lists that way. */
  @Param(jsonOrText())
  @AreJoinedNames
  subscriptions!: string[] | string;

  @Param(json(), { optional: true })
  @ArePrincipals
  principals?: number[] | string[];
}

export class JoinAndLeaveParams {
  @Param(json(), { optional: true })
  @Shape(NamedChannels)
  add?: { name: string; description?: string; color?: string }[];

  @Param(json(), { optional: true })
  @Shape(Names)
  delete?: string[];
}

export class ListSubscriptionsParams {
  @Param(jsonWord(), { default: 'false' })
  @IsIn(['true', 'false', 'partial'])
  include_subscribers!: 'true' | 'false' | 'partial';
}

export class ListChannelsParams {
  @Param(boolean(), { default: true })
  include_public!: boolean;

  @Param(boolean(), { default: false })
  include_web_public!: boolean;

  @Param(boolean(), { default: true })
  include_subscribed!: boolean;

  @Param(boolean(), { default: true })
  exclude_archived!: boolean;

  @Param(boolean(), { default: false })
  include_all!: boolean;

  @Param(boolean(), { default: false, description: 'The older spelling of `include_all`, for administrators.' })
  include_all_active!: boolean;

  @Param(boolean(), { default: false })
  include_default!: boolean;

  @Param(boolean(), { default: false })
  include_owner_subscribed!: boolean;

  @Param(boolean(), { default: false })
  include_can_access_content!: boolean;
}

export class ChannelIdByNameParams {
  @Param(text())
  @MaxCharacters(NAME_TEXT_MAX)
  stream!: string;
}

export class ChannelAddressParams {
  @Param(integer(), { optional: true, description: 'The caller, one of their bots, or the bot for e-mail.' })
  sender_id?: number;
}
