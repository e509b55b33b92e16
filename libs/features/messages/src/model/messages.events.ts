import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Inclusive ranges of message IDs, ascending and disjoint. */
const Ids = Type.Array(Type.Tuple([Id, Id]));

/** A place in a channel. The empty string is a topic. */
const ChannelPlace = exactly({ channelId: Id, topic: Type.String() });
/** A direct conversation: all participants including the sender, ascending. */
const DirectPlace = exactly({ to: Type.Array(Id, { minItems: 1 }) });
const Place = Type.Union([ChannelPlace, DirectPlace]);

/** Uploaded files that the content refers to, and that its author could read then: a message opens no others to its readers. */
const Files = Type.Array(exactly({ fileId: Id, ownerId: Id }), { minItems: 1 });

/**
 * Result of rendering. `rendered` is absent when the content is plain (`isPlain` of `#markdown`), since `plainHtml`
 * reproduces it: most messages are plain, and the log keeps their text once.
 */
const Content = {
  content: Type.String(),
  rendered: Type.Optional(Type.String()),
  /** Users mentioned personally or through a group, ascending. */
  mentions: Type.Optional(Type.Array(Id)),
  channelWildcard: Type.Optional(Type.Literal(true)),
  topicWildcard: Type.Optional(Type.Literal(true)),
  /** Users reached by a topic wildcard: all participants of the topic at that time, ascending. */
  topicParticipants: Type.Optional(Type.Array(Id)),
  /** Readers with an alert word in it, ascending. */
  alerted: Type.Optional(Type.Array(Id)),
  files: Type.Optional(Files),
};

/** Maximum users for whom a notice starts read: it names whoever acted, and each copy of it carries the list. */
const READ_BY_MAX = 8;

/** A widget that does not follow from the content: the kind, and the JSON of the first submessage. */
export const givenWidgetShape = exactly({
  type: Type.Union([Type.Literal('poll'), Type.Literal('todo'), Type.Literal('zform')]),
  content: Type.String(),
});

/** In the `messages` stream; the message's ID is the revision plus one. Metadata: `queueId` and `localId` of a client's local echo. */
export const messageSent = eventType(
  'message.sent.v1',
  exactly({
    senderId: Id,
    /** A channel message has these two … */
    channelId: Type.Optional(Id),
    topic: Type.Optional(Type.String()),
    /** … a direct message this: all participants including the sender, ascending. */
    to: Type.Optional(Type.Array(Id, { minItems: 1 })),
    ...Content,
    /** Outgoing webhook bots whose services it calls, ascending. */
    calls: Type.Optional(Type.Array(Id)),
    /** What a service of a bot asked for beside the content. */
    widget: Type.Optional(givenWidgetShape),
    /** Name of the sending client. */
    client: Type.String(),
    /** The sender's own copy starts read. */
    readBySender: Type.Optional(Type.Literal(true)),
    /** For a notice that a topic was resolved or unresolved: for all other users it starts read. */
    unreadFor: Type.Optional(Type.Array(Id)),
    /** For a notice: for these users, whose act it tells of, it starts read. */
    readBy: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: READ_BY_MAX })),
    at: At,
  }),
);

/** The oldest message left in the channel, null when there is none. Absent while the oldest one stays. */
const firstLeft = Type.Optional(Type.Union([Id, Type.Null()]));
/**
 * Position at which messages last arrived in another channel; absent when they never did. It determines who received
 * them there.
 */
const Arrival = Type.Integer({ minimum: 1 });
/** Users whom versions of messages mentioned that were not subscribed to their channel; absent when there are none. */
const Mentioned = Type.Optional(Type.Array(exactly({ id: Id, userIds: Type.Array(Id, { minItems: 1 }) })));

/** The previous and the new content of an edit. */
const Edit = {
  ...Content,
  prevContent: Type.String(),
  prevRendered: Type.Optional(Type.String()),
  /** Users mentioned before, but not any more. */
  unmentioned: Type.Optional(Type.Array(Id)),
  /** Files to which the new content refers and the previous one did not; `detached` are those to which only the previous one did. */
  attached: Type.Optional(Files),
  detached: Type.Optional(Files),
};

export const messageEdited = eventType(
  'message.edited.v1',
  exactly({ messageId: Id, by: Id, ...Edit, place: Place, at: At }),
);

/** Recorded in the stream of the message that the move request named. */
export const messagesMoved = eventType(
  'messages.moved.v1',
  exactly({
    /** The message named by the request. */
    targetId: Id,
    /** Messages moved by this event. The first event of a move includes the target. */
    ids: Ids,
    /** The lowest of them. */
    firstId: Id,
    by: Id,
    from: ChannelPlace,
    to: ChannelPlace,
    /** For the channel that they leave. */
    firstLeft,
    /** Content change of the target in the same request. */
    edit: Type.Optional(exactly(Edit)),
    /**
     * Events older than `edit` recorded only that the preceding event, in the same append, belongs to the same request.
     */
    withEdit: Type.Optional(Type.Literal(true)),
    /** Follow-ups of the move; absent in old events, which have none any more. */
    entails: Type.Optional(
      exactly({
        /** Which readers get a notice: those of the old topic, and those of the new one. */
        oldThread: Type.Boolean(),
        newThread: Type.Boolean(),
        /** The new topic had messages already. */
        merges: Type.Boolean(),
        /** A notice of the opposite, which is deleted. */
        takesBack: Type.Optional(Id),
      }),
    ),
    propagateMode: Type.Union([Type.Literal('change_one'), Type.Literal('change_later'), Type.Literal('change_all')]),
    /**
     * Messages of the topic with IDs beyond `after`, up to `until`, are moved by separate events. Absent when there are
     * none.
     */
    rest: Type.Optional(exactly({ after: Type.Integer({ minimum: 0 }), until: Id })),
    /**
     * This event continues the move that the event at this revision of the same stream began, which moved the target.
     */
    continues: Type.Optional(Type.Integer({ minimum: 0 })),
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
    mentioned: Mentioned,
    firstLeft,
    at: At,
  }),
);

/** Messages of a topic that were deleted together. Recorded in the stream of the first of them. */
export const messagesDeleted = eventType(
  'messages.deleted.v1',
  exactly({
    ids: Ids,
    by: Id,
    place: ChannelPlace,
    /** Arrivals of the messages that came from another channel. */
    arrivals: Type.Optional(Type.Array(exactly({ ids: Ids, arrival: Arrival }))),
    mentioned: Mentioned,
    firstLeft,
    at: At,
  }),
);

/** What decides how long messages are kept (`retention.ts`). */
const RetentionPolicy = exactly({
  days: Type.Integer({ minimum: 1 }),
  /** Whose setting it is. */
  of: Type.Union([Type.Literal('organization'), Type.Literal('channel')]),
});

/** Messages of one place that were removed since their time was over. Recorded in the stream of the first of those that go together. */
export const messagesExpired = eventType(
  'messages.expired.v1',
  exactly({
    ids: Ids,
    place: Place,
    /** Arrivals of the messages that came from another channel. */
    arrivals: Type.Optional(Type.Array(exactly({ ids: Ids, arrival: Arrival }))),
    mentioned: Mentioned,
    firstLeft,
    policy: RetentionPolicy,
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
    /** The message had never been delivered to the user: this event added it to their history. */
    historical: Type.Optional(Type.Literal(true)),
  }),
);
export const reactionRemoved = eventType('reaction.removed.v1', exactly(Reaction));

/** An addition to a widget, such as a vote. Whether the message is a widget, and which, is derived from how it was sent. */
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

export const messageEventTypes = [
  messageSent,
  messageEdited,
  messagesMoved,
  messageDeleted,
  messagesDeleted,
  messagesExpired,
  reactionAdded,
  reactionRemoved,
  submessageAdded,
] as const;

/** An uploaded file, and the user who uploaded it. */
export type FileReference = NonNullable<MessageSent['data']['files']>[number];
export type MessageSent = EventOf<typeof messageSent>;
export type MessageEdited = EventOf<typeof messageEdited>;
export type MessagesMoved = EventOf<typeof messagesMoved>;
/** A change of content, alone or together with a move. */
export type ContentEdit = NonNullable<MessagesMoved['data']['edit']>;
/** A move event with follow-ups. */
export type MovedWithWishes = MessagesMoved['data'] & Required<Pick<MessagesMoved['data'], 'entails'>>;
export type MessageDeleted = EventOf<typeof messageDeleted>;
export type MessagesDeleted = EventOf<typeof messagesDeleted>;
export type MessagesExpired = EventOf<typeof messagesExpired>;
export type RetentionPolicy = MessagesExpired['data']['policy'];
export type ReactionAdded = EventOf<typeof reactionAdded>;
export type ReactionRemoved = EventOf<typeof reactionRemoved>;
export type SubmessageAdded = EventOf<typeof submessageAdded>;
/** Events of a `message-{id}` stream. */
export type MessageEvent =
  | MessageEdited
  | MessagesMoved
  | MessageDeleted
  | MessagesDeleted
  | MessagesExpired
  | ReactionAdded
  | ReactionRemoved
  | SubmessageAdded;

/** Place of a message. */
export type Place = MessageDeleted['data']['place'];
export type ChannelPlace = MessagesMoved['data']['from'];
