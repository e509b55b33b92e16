import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { credential, exactly, type EventOf } from '#event-store';
import type { BotOwnerChanged } from '#users/model';

const Id = Type.Integer({ minimum: 1 });
/** A channel, or null for none. */
const ChannelId = Type.Union([Id, Type.Null()]);
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };

/** Where an outgoing webhook bot calls. */
const Service = exactly({
  name: Type.String(),
  url: Type.String(),
  /** 1 for the interface's own form of calls, 2 for Slack's. */
  interface: Type.Integer(),
  /** Lets the called service recognize this server. */
  token: credential(Type.String()),
});

/** Settings that only bots have. Only what changed is listed. */
export const botConfigured = organizationEvent(
  'bot.configured.v1',
  exactly({
    userId: Id,
    /** Channel for messages that name none. */
    sendsTo: Type.Optional(ChannelId),
    /** Channel whose messages a queue without a narrow receives. */
    listensTo: Type.Optional(ChannelId),
    /** Whether a queue that says nothing of it receives messages of all public channels. */
    listensToAll: Type.Optional(Type.Boolean()),
    service: Type.Optional(Service),
    /** Mostly keys of other services. */
    config: Type.Optional(credential(Type.Record(Type.String(), Type.String()))),
    /** Whether one of its channels is private, so that only its owner is shown the bot's settings. */
    isPrivate: exactly({ from: Type.Boolean(), to: Type.Boolean() }),
    ...Done,
  }),
);

export const botEventTypes = [botConfigured] as const;

export type BotConfigured = EventOf<typeof botConfigured>;
export type BotEvent = BotConfigured | BotOwnerChanged;
