import { Slices } from '#kernel';
import { type MessagesMoved, placeOf, type Place } from '#messages';
import { type Channel, hasSharedHistory } from '#channels/model';
import type { Directory } from '#people';
import { ROLE, type User } from '#users/model';
import type { MessageEvents } from '../messages/message-events.js';
import { isEventUpTo, type Moment } from '../moment.js';
import type { Changes } from '../organization/changes.js';
import { spanAt } from '../organization/changes.js';
import type { Moments } from '../past/moments.js';
import type { PastDirectory } from '../past/past-directory.js';
import { isRemoval } from '../places/named-subjects.js';
import { subjects } from '../places/place-row.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import { wirePlace, wireUser } from '../wire.js';
import { readingBy, type ReadingFacts, turning } from './reading-rule.js';

/** A message where it stood at a moment. */
interface Located {
  readonly messageId: number;
  /** The event that brought it there. */
  readonly arrival: LogEvent;
  readonly place: Place;
  /** It came from another channel. */
  readonly hasMoved: boolean;
}

/** The organization at a moment, for the rules. */
interface Then {
  readonly directory: Directory;
  /** For spans of subscriptions. */
  readonly position: number;
}

/** Who could read a channel or a message at a moment, by which rule, and what would change that. */
export class Readers {
  constructor(
    private readonly directory: Directory,
    private readonly past: PastDirectory,
    private readonly moments: Moments,
    private readonly changes: Changes,
    private readonly events: MessageEvents,
  ) {}

  /** All who could read the channel; one user, whether or not they could, when one is named. */
  async *ofChannel(channelId: number, moment: Moment, user?: number): AsyncGenerator<Row, void, void> {
    yield* this.#inChannel(channelId, moment, user, undefined);
  }

  /** As `ofChannel`, of a message where it stood then. Nobody could read one that was not sent yet, or was deleted. */
  async *ofMessage(messageId: number, moment: Moment, user?: number): AsyncGenerator<Row, void, void> {
    const found = await this.#located(messageId, moment);
    if (found === undefined) return;
    if ('deletion' in found) {
      yield rowOf(this.directory, found.deletion, 'no_reader', { message_id: messageId, rule: 'deleted' });
      return;
    }
    const { place, arrival } = found;
    if ('channelId' in place) {
      yield* this.#inChannel(place.channelId, moment, user, found);
      return;
    }
    const { directory } = await this.#then(moment);
    for (const userId of user === undefined ? place.to : [user]) {
      const isActive = directory.user(userId)?.isActive === true;
      const isParticipant = place.to.includes(userId);
      const canRead = isActive && isParticipant;
      if (!canRead && user === undefined) continue;
      yield rowOf(this.directory, arrival, 'access', {
        message_id: messageId,
        place: wirePlace(this.directory, place),
        user: wireUser(this.directory, userId),
        can_read: canRead,
        rule: !isActive ? 'account_inactive' : isParticipant ? 'participant' : 'no_participant',
        would_change: isParticipant ? { is_active: !isActive } : {},
      });
    }
  }

  /** The channels that a user could read. */
  async *by(userId: number, moment: Moment): AsyncGenerator<Row, void, void> {
    const then = await this.#then(moment);
    const user = then.directory.user(userId);
    if (user === undefined) return;
    const slices = new Slices();
    for (const channel of [...then.directory.channels()]) {
      yield* this.#judged(then, channel, user, moment, undefined, false);
      if (slices.isOver) await slices.next();
    }
  }

  async *#inChannel(
    channelId: number,
    moment: Moment,
    userId: number | undefined,
    message: Located | undefined,
  ): AsyncGenerator<Row, void, void> {
    const then = await this.#then(moment);
    const { directory } = then;
    const channel = directory.channel(channelId);
    if (channel === undefined) return;
    if (userId !== undefined) {
      const user = directory.user(userId);
      if (user !== undefined) yield* this.#judged(then, channel, user, moment, message, true);
      return;
    }
    if (directory.settings.enable_spectator_access && channel.isWebPublic && !channel.isArchived) {
      const last = await this.changes.last(subjects.channel(channelId), moment);
      if (last !== undefined)
        yield rowOf(this.directory, last, 'spectators', {
          ...named(channel, message),
          can_read: true,
          rule: 'web_public',
        });
    }
    const slices = new Slices();
    for (const user of [...directory.users()]) {
      yield* this.#judged(then, channel, user, moment, message, false);
      if (slices.isOver) await slices.next();
    }
  }

  /** The line about a user; none for who could not read it, unless all are told. */
  async *#judged(
    then: Then,
    channel: Channel,
    user: User,
    moment: Moment,
    message: Located | undefined,
    tellsAll: boolean,
  ): AsyncGenerator<Row, void, void> {
    const facts = this.#facts(then, channel, user, message);
    const { canRead, rule } = readingBy(facts);
    if (!canRead && !tellsAll) return;
    const { userId } = user;
    const { channelId } = channel;
    const span = spanAt(this.directory.subscription(userId, channelId)?.spans ?? [], then.position);
    const event =
      (rule === 'subscribed' && span !== undefined
        ? await this.changes.subscriptionEvents()(userId, span.fromPosition)
        : undefined) ?? (await this.changes.last(subjects.channel(channelId), moment));
    if (event === undefined) return;
    yield rowOf(this.directory, event, 'access', {
      ...named(channel, message),
      user: wireUser(this.directory, userId),
      can_read: canRead,
      rule,
      facts,
      would_change: turning(facts),
    });
  }

  #facts({ directory, position }: Then, channel: Channel, user: User, message: Located | undefined): ReadingFacts {
    const { channelId, permissions } = channel;
    const { userId } = user;
    // Spans tell of messages as well, which the organization's stream does not.
    const spans = this.directory;
    return {
      is_active: user.isActive,
      is_subscribed: spans.wasSubscribedAt(userId, channelId, position),
      is_guest: user.role >= ROLE.guest,
      channel_is_web_public: channel.isWebPublic,
      channel_is_private: channel.inviteOnly,
      holds_can_add_subscribers_group: directory.holds(user, permissions.can_add_subscribers_group),
      holds_can_subscribe_group: directory.holds(user, permissions.can_subscribe_group),
      channel_shares_history: hasSharedHistory(channel),
      was_there:
        message === undefined ||
        (message.hasMoved
          ? spans.wasSubscribedAt(userId, channelId, message.arrival.position)
          : spans.wasSubscribedForMessage(userId, channelId, message.messageId)),
    };
  }

  async #then(moment: Moment): Promise<Then> {
    return { directory: await this.past.at(moment), position: await this.moments.organizationPosition(moment) };
  }

  async #located(messageId: number, moment: Moment): Promise<Located | { readonly deletion: LogEvent } | undefined> {
    const sent = await this.events.sent(messageId);
    if (sent === undefined || !isEventUpTo(moment, sent)) return undefined;
    let found: Located = { messageId, arrival: sent, place: placeOf(sent.data), hasMoved: false };
    for await (const event of this.events.changes(messageId)) {
      if (!isEventUpTo(moment, event)) break;
      if (isRemoval(event.type)) return { deletion: event };
      if (event.type !== 'messages.moved.v1') continue;
      const { from, to } = event.data as MessagesMoved['data'];
      const isElsewhere = from.channelId !== to.channelId;
      found = { ...found, place: to, ...(isElsewhere ? { arrival: event, hasMoved: true } : {}) };
    }
    return found;
  }
}

function named({ channelId, name }: Channel, message: Located | undefined): object {
  return { channel_id: channelId, channel: name, message_id: message?.messageId };
}
