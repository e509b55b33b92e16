import { Type } from 'typebox';
import { eventType, exactly, type FactOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Inclusive runs of message IDs, ascending and apart. */
const Ids = Type.Array(Type.Tuple([Id, Id]));

/** A place in a channel. The empty string is a topic. */
const ChannelPlace = exactly({ channelId: Id, topic: Type.String() });
/** A direct conversation: all participants with the sender, ascending. */
const DirectPlace = exactly({ to: Type.Array(Id, { minItems: 1 }) });
const Place = Type.Union([ChannelPlace, DirectPlace]);

/**
 * What rendering found. `rendered` is absent when the content is plain (`isPlain` of `#markdown`), since `plainHtml` then
 * gives it back: most messages are, and the log keeps their text once.
 */
const Content = {
  content: Type.String(),
  rendered: Type.Optional(Type.String()),
  /** Everybody mentioned personally or through a group, ascending. */
  mentions: Type.Optional(Type.Array(Id)),
  channelWildcard: Type.Optional(Type.Literal(true)),
  topicWildcard: Type.Optional(Type.Literal(true)),
  /** Whom a topic wildcard reaches: everybody who took part in the topic by then, ascending. */
  topicParticipants: Type.Optional(Type.Array(Id)),
  /** Those among its readers who have an alert word in it, ascending. */
  alerted: Type.Optional(Type.Array(Id)),
};

/** In the `messages` stream; the message's ID is the revision plus one. Metadata: `queueId` and `localId` of a client's local echo. */
export const messageSent = eventType(
  'message.sent.v1',
  exactly({
    senderId: Id,
    /** A channel message has these two … */
    channelId: Type.Optional(Id),
    topic: Type.Optional(Type.String()),
    /** … a direct message this: all participants with the sender, ascending. */
    to: Type.Optional(Type.Array(Id, { minItems: 1 })),
    ...Content,
    /** Name of the client that sent it. */
    client: Type.String(),
    /** The sender's own copy starts read. */
    readBySender: Type.Optional(Type.Literal(true)),
    /** Of a notice that a topic was resolved or unresolved: for everybody else it starts read. */
    unreadFor: Type.Optional(Type.Array(Id)),
    at: At,
  }),
);

/** The oldest message that is left in the channel, null when none is. Absent while the oldest one stays. */
const firstLeft = Type.Optional(Type.Union([Id, Type.Null()]));
/** Where in the log messages last came to stand in another channel; absent when they never did. It decides who had them there. */
const Arrival = Type.Integer({ minimum: 1 });

/** What an edit made of a message's content, and of what. */
const Edit = {
  ...Content,
  prevContent: Type.String(),
  prevRendered: Type.Optional(Type.String()),
  /** Mentioned before, and not any more. */
  unmentioned: Type.Optional(Type.Array(Id)),
};

export const messageEdited = eventType(
  'message.edited.v1',
  exactly({ messageId: Id, by: Id, ...Edit, place: Place, at: At }),
);

/** In the stream of the message that the move was asked of. */
export const messagesMoved = eventType(
  'messages.moved.v1',
  exactly({
    /** The message that the request named. */
    targetId: Id,
    /** Every message moved, the target included. */
    ids: Ids,
    /** The smallest of them. */
    firstId: Id,
    by: Id,
    from: ChannelPlace,
    to: ChannelPlace,
    /** In the channel that they leave. */
    firstLeft,
    /** What the same request made of the target's content. */
    edit: Type.Optional(exactly(Edit)),
    /** Before `edit`, such facts said only that the one right before it, in the same append, is of the same request. */
    withEdit: Type.Optional(Type.Literal(true)),
    /** What is to follow from it; absent in old facts, which nothing follows from any more. */
    entails: Type.Optional(
      exactly({
        /** Who is to be told: readers of the topic that the messages left, and of the one that they went to. */
        oldThread: Type.Boolean(),
        newThread: Type.Boolean(),
        /** There were messages where they went. */
        merges: Type.Boolean(),
        /** A notice of the opposite, which this takes back. */
        takesBack: Type.Optional(Id),
      }),
    ),
    propagateMode: Type.Union([Type.Literal('change_one'), Type.Literal('change_later'), Type.Literal('change_all')]),
    at: At,
  }),
);

export const messageDeleted = eventType(
  'message.deleted.v1',
  exactly({
    messageId: Id,
    by: Id,
    place: Place,
    arrival: Type.Optional(Arrival),
    firstLeft,
    at: At,
  }),
);

/** Messages of a topic that were deleted together. In the stream of the first of them. */
export const messagesDeleted = eventType(
  'messages.deleted.v1',
  exactly({
    ids: Ids,
    by: Id,
    place: ChannelPlace,
    /** Of those that came from another channel. */
    arrivals: Type.Optional(Type.Array(exactly({ ids: Ids, arrival: Arrival }))),
    firstLeft,
    at: At,
  }),
);

const Reaction = {
  messageId: Id,
  userId: Id,
  emojiName: Type.String(),
  emojiCode: Type.String(),
  reactionType: Type.Union([
    Type.Literal('unicode_emoji'),
    Type.Literal('realm_emoji'),
    Type.Literal('service_extra_emoji'),
  ]),
  place: Place,
  at: At,
};
export const reactionAdded = eventType(
  'reaction.added.v1',
  exactly({
    ...Reaction,
    /** The message had never been delivered to the user: it came into their history by this. */
    historical: Type.Optional(Type.Literal(true)),
  }),
);
export const reactionRemoved = eventType('reaction.removed.v1', exactly(Reaction));

/** What somebody added to a widget, such as a vote. That the message is a widget, and which, follows from its content. */
export const submessageAdded = eventType(
  'submessage.added.v1',
  exactly({
    messageId: Id,
    submessageId: Id,
    senderId: Id,
    /** JSON. */
    content: Type.String(),
    place: Place,
    at: At,
  }),
);

/** In the stream of the user's flags. Only what changed is listed. */
export const flagsChanged = eventType(
  'flags.changed.v1',
  exactly({
    userId: Id,
    op: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
    flag: Type.Union([Type.Literal('read'), Type.Literal('starred'), Type.Literal('collapsed')]),
    ids: Ids,
    /** Of these, the ones that had never been delivered to the user: they came into their history by this. */
    historical: Type.Optional(Ids),
    at: At,
  }),
);

export const messageEventTypes = [
  messageSent,
  messageEdited,
  messagesMoved,
  messageDeleted,
  messagesDeleted,
  reactionAdded,
  reactionRemoved,
  submessageAdded,
  flagsChanged,
] as const;

export type MessageSent = FactOf<typeof messageSent>;
export type MessageEdited = FactOf<typeof messageEdited>;
export type MessagesMoved = FactOf<typeof messagesMoved>;
/** A change of content, alone or together with a move. */
export type ContentEdit = NonNullable<MessagesMoved['data']['edit']>;
/** A fact that something follows from. */
export type MovedWithWishes = MessagesMoved['data'] & Required<Pick<MessagesMoved['data'], 'entails'>>;
export type MessageDeleted = FactOf<typeof messageDeleted>;
export type MessagesDeleted = FactOf<typeof messagesDeleted>;
export type ReactionAdded = FactOf<typeof reactionAdded>;
export type ReactionRemoved = FactOf<typeof reactionRemoved>;
export type SubmessageAdded = FactOf<typeof submessageAdded>;
export type FlagsChanged = FactOf<typeof flagsChanged>;
/** The facts of a `message-{id}` stream. */
export type MessageEvent =
  MessageEdited | MessagesMoved | MessageDeleted | MessagesDeleted | ReactionAdded | ReactionRemoved | SubmessageAdded;

/** Where a message stands. */
export type Place = MessageDeleted['data']['place'];
export type ChannelPlace = MessagesMoved['data']['from'];
