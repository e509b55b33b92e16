import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';
import { GroupSettingSchema } from '../groups/group-setting.schema.js';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

export const channelCreated = eventType(
  'channel.created.v1',
  exactly({
    channelId: Id,
    name: Type.String(),
    description: Type.String(),
    renderedDescription: Type.String(),
    inviteOnly: Type.Boolean(),
    isWebPublic: Type.Boolean(),
    historyPublicToSubscribers: Type.Boolean(),
    /** null inherits the organization's setting, -1 keeps for ever. */
    messageRetentionDays: Type.Union([Type.Integer(), Type.Null()]),
    topicsPolicy: Type.String(),
    folderId: Type.Union([Id, Type.Null()]),
    /** By the setting's name on the wire, e.g. `can_send_message_group`. */
    permissions: Type.Record(Type.String(), GroupSettingSchema),
    isDefault: Type.Boolean(),
    creatorId: Type.Union([Id, Type.Null()]),
    at: At,
  }),
);

export const channelEventTypes = [channelCreated] as const;

export type ChannelCreated = EventOf<typeof channelCreated>;
export type ChannelEvent = EventOf<(typeof channelEventTypes)[number]>;
