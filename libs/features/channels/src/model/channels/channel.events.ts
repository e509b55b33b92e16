import { Type, type TSchema } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';
import { StoredGroupSettingSchema } from '#groups/model';
import { NewChannelNotices } from '../new-channel-notices.js';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

export const channelCreated = organizationEvent(
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
    permissions: Type.Record(Type.String(), StoredGroupSettingSchema),
    isDefault: Type.Boolean(),
    creatorId: Type.Union([Id, Type.Null()]),
    at: At,
    /** On the last event of a request that subscribes nobody: as in `channel.subscribed.v1`. */
    entails: Type.Optional(NewChannelNotices),
  }),
);

const Days = Type.Union([Type.Integer(), Type.Null()]);
const Folder = Type.Union([Id, Type.Null()]);
const Privacy = exactly({
  inviteOnly: Type.Boolean(),
  isWebPublic: Type.Boolean(),
  historyPublicToSubscribers: Type.Boolean(),
});

/** A changed value: what it was, and what it is now. Absent when it did not change. */
const changed = <const Value extends TSchema>(value: Value) => Type.Optional(exactly({ from: value, to: value }));

/** All changes of one request: they take effect together. */
export const channelChanged = organizationEvent(
  'channel.changed.v1',
  exactly({
    channelId: Id,
    name: changed(Type.String()),
    description: changed(exactly({ text: Type.String(), rendered: Type.String() })),
    privacy: changed(Privacy),
    messageRetentionDays: changed(Days),
    topicsPolicy: changed(Type.String()),
    folderId: changed(Folder),
    isDefault: changed(Type.Boolean()),
    isArchived: changed(Type.Boolean()),
    /** By the setting's name on the wire; only those that changed. */
    permissions: Type.Optional(
      Type.Record(Type.String(), exactly({ from: StoredGroupSettingSchema, to: StoredGroupSettingSchema })),
    ),
    by: Id,
    at: At,
    entails: Type.Optional(
      exactly({
        /** The channel is told of the change. */
        notices: Type.Boolean(),
        /** When archived: messages up to this ID are to be marked as read for all subscribers. */
        readThrough: Type.Optional(Type.Integer()),
      }),
    ),
  }),
);

export const channelEventTypes = [channelCreated, channelChanged] as const;

export type ChannelCreated = EventOf<typeof channelCreated>;
export type ChannelChanged = EventOf<typeof channelChanged>;
export type ChannelEvent = EventOf<(typeof channelEventTypes)[number]>;
