import { Type } from 'typebox';
import { botsPart } from '#bots/model';
import { type NarrowTerm, queueNarrow, QUEUE_LIFESPAN_SECONDS_MAX, type QueueSettings } from '#feed';
import { boolean, integer, json, jsonWord, Param, Shape } from '#http';
import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { type User, ROLE } from '#users/model';
import { ArrayMaxSize, IsArray, IsIn, IsString, MaxCharacters, Min, stacked } from '#validation';

/** Capabilities that clients can declare (endpoints.md §15, POST /register, `client_capabilities`; events.md §1). */
export const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'user_list_incomplete',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
  'individual_emoji_changes',
] as const;

/** A queue's settings are kept as long as the queue, so they must stay small. */
const EVENT_TYPES_MAX = 200;
const EVENT_TYPE_LENGTH_MAX = 100;
const NARROW_TERMS_MAX = 20;
const OPERAND_LENGTH_MAX = 500;
const CAPABILITIES_GIVEN_MAX = 100;

const Operator = Type.String({ maxLength: 50 });
const Operand = Type.Union([Type.String({ maxLength: OPERAND_LENGTH_MAX }), Type.Integer()]);
const IsNarrow = Shape(
  Type.Array(
    Type.Union([
      Type.Tuple([Operator, Operand]),
      Type.Object({ operator: Operator, operand: Operand, negated: Type.Optional(Type.Boolean()) }),
    ]),
    { maxItems: NARROW_TERMS_MAX },
  ),
);

const AreCapabilities = Shape(Type.Record(Type.String(), Type.Unknown(), { maxProperties: CAPABILITIES_GIVEN_MAX }));

export const AreEventTypes = stacked(
  IsArray(),
  ArrayMaxSize(EVENT_TYPES_MAX),
  IsString({ each: true }),
  MaxCharacters(EVENT_TYPE_LENGTH_MAX, { each: true }),
);

/** Parameters of POST /register that define a queue. GET /events without a queue accepts them too. */
export class QueueParams {
  @Param(boolean(), { default: false })
  apply_markdown!: boolean;

  @Param(boolean(), {
    optional: true,
    aliases: ['client_gravatar'],
    description: '`true` unless the caller is anonymous.',
  })
  client_extavatar?: boolean;

  @Param(boolean(), { default: false })
  slim_presence!: boolean;

  @Param(jsonWord(), { default: 'false' })
  @IsIn(['true', 'false', 'partial'])
  include_subscribers!: 'true' | 'false' | 'partial';

  @Param(boolean(), { optional: true, description: "False when absent; a bot's own setting for bots." })
  all_public_streams?: boolean;

  @Param(json(), { optional: true })
  @AreEventTypes
  event_types?: string[];

  @Param(json(), { optional: true })
  @AreCapabilities
  client_capabilities?: Record<string, unknown>;

  @Param(json(), { optional: true })
  @IsNarrow
  narrow?: NarrowTerm[];

  @Param(integer(), { default: 0, description: `Seconds; at most ${QUEUE_LIFESPAN_SECONDS_MAX} count.` })
  @Min(0)
  queue_lifespan_secs!: number;

  @Param(boolean(), { default: true })
  pronouns_field_type_supported!: boolean;

  /** Whether anything is said about the queue that is not so by default. */
  get asksForQueue(): boolean {
    const { event_types, narrow, client_capabilities, client_extavatar, all_public_streams } = this;
    const given = [event_types, narrow, client_capabilities, client_extavatar, all_public_streams];
    return (
      given.some((value) => value !== undefined) ||
      this.apply_markdown ||
      this.slim_presence ||
      this.include_subscribers !== 'false' ||
      this.queue_lifespan_secs > 0 ||
      !this.pronouns_field_type_supported
    );
  }
}

/** @throws Refusal BAD_REQUEST for invalid settings */
export function queueSettings(
  params: QueueParams,
  clientName: string,
  user: User,
  directory: Directory,
): QueueSettings {
  const bot = directory.of(botsPart).get(user.userId);
  const allPublicChannels = params.all_public_streams ?? bot.listensToAll;
  if (allPublicChannels && user.role >= ROLE.guest) {
    throw badRequest('Guests cannot receive messages from all public channels.');
  }
  return {
    clientName,
    applyMarkdown: params.apply_markdown,
    clientGravatar: params.client_extavatar ?? true,
    slimPresence: params.slim_presence,
    includeSubscribers: params.include_subscribers !== 'false',
    ...(params.include_subscribers === 'partial' ? { partialSubscribers: true } : {}),
    allPublicChannels,
    ...(params.pronouns_field_type_supported ? {} : { pronouns: false }),
    eventTypes: params.event_types === undefined ? null : [...new Set(params.event_types)],
    narrow: queueNarrow(narrowOf(params, bot.listensTo), directory, user),
    capabilities: capabilitiesOf(params.client_capabilities ?? {}),
  };
}

/** A bot without a narrow of its own listens to its default channel. */
function narrowOf({ narrow = [] }: QueueParams, listensTo: number | null): readonly NarrowTerm[] {
  return narrow.length === 0 && listensTo !== null ? [['channel', listensTo]] : narrow;
}

function capabilitiesOf(given: Readonly<Record<string, unknown>>): readonly string[] {
  return CAPABILITIES.filter((name) => {
    const value = Object.hasOwn(given, name) ? given[name] : false;
    if (typeof value !== 'boolean') throw badRequest(`client_capabilities["${name}"] is not a boolean`);
    return value;
  });
}
