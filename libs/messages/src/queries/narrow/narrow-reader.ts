import { Injectable } from '@nestjs/common';
import { Directory, hasSharedHistory, mayKnowChannel, mayReadChannel, ROLE, type User } from '#organization';
import { where } from '#read-store';
import { located, mayReadMessage } from '../../message.access.js';
import { channelConversation, directConversation, parseConversation, topicKeyOf } from '../../place.js';
import { EVERYONE } from '../../projections/message.document.js';
import { normalizeTopic } from '../../topic.js';
import { ConversationsReader, type DirectConversation } from '../conversations.reader.js';
import { FlagsReader } from '../flags.reader.js';
import { isMentioned, isOwn, isRead, isWildcard } from '../message-flags.js';
import { MessagesReader } from '../messages.reader.js';
import type { SeenMessage } from '../seen-messages.js';
import { UnreadReader } from '../unread.reader.js';
import { Narrow } from './narrow.js';
import { channelOf, messageIdOf, userOf, usersOf } from './operands.js';
import { badNarrow, type NarrowOperand, type NarrowTerm } from './narrow-terms.js';

const CHANNELS = where.range('conversation', { gte: 'c:', lt: 'c;' });
const DIRECTS = where.range('conversation', { gte: 'd:', lt: 'd;' });
/** Resolved topics begin with a check mark and a blank, and `!` follows the blank. */
const RESOLVED = where.range('topicKey', { gte: '✔ ', lt: '✔!' });

/** The viewer's direct conversations, fetched once however many terms ask. */
type Directs = () => Promise<readonly DirectConversation[]>;

const isDirect = ({ doc }: SeenMessage): boolean => doc.topic === undefined;

/** Looks up what the terms of a narrow mean to a viewer (endpoints.md §3, "Narrow terms"). */
@Injectable()
export class NarrowReader {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly conversations: ConversationsReader,
    private readonly flags: FlagsReader,
    private readonly unread: UnreadReader,
  ) {}

  /** @throws Refusal BAD_NARROW */
  async read(viewer: User, asked: readonly NarrowTerm[]): Promise<Narrow> {
    const narrow = new Narrow();
    const terms = distinct(await this.#followed(viewer, asked));
    let found: Promise<readonly DirectConversation[]> | undefined;
    const directs: Directs = () => (found ??= this.conversations.directOf(viewer.userId));
    for (const term of terms) await this.#apply(narrow, viewer, term, directs);
    const asksOfFlags = terms.some(({ operator }) => operator === 'is');
    if (asksOfFlags) narrow.reachesHistory = false;
    if (narrow.channelId !== undefined) narrow.isDirected = false;
    return narrow;
  }

  /** `with` stands for the conversation that its message is in now. */
  async #followed(viewer: User, terms: readonly NarrowTerm[]): Promise<readonly NarrowTerm[]> {
    const withs = terms.filter(({ operator }) => operator === 'with');
    const [term] = withs;
    if (term === undefined) return terms;
    if (withs.length > 1) throw badNarrow('with may be used once');
    const messageId = messageIdOf(term.operand);
    const doc = await this.messages.get(messageId);
    const others = terms.filter(({ operator }) => operator !== 'with');
    if (doc === undefined || !mayReadMessage(this.directory, viewer, located(messageId, doc))) {
      const named = (operator: string): boolean =>
        others.some((other) => other.operator === operator && !other.negated);
      if (named('dm') || (named('channel') && named('topic'))) return others;
      throw badNarrow('unknown message in with');
    }
    const place = parseConversation(doc.conversation);
    const conversation: NarrowTerm[] =
      'channelId' in place
        ? [
            { operator: 'channel', operand: place.channelId, negated: false },
            { operator: 'topic', operand: doc.topic ?? '', negated: false },
          ]
        : [{ operator: 'dm', operand: [...place.participants], negated: false }];
    return [...conversation, ...others.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator))];
  }

  async #apply(
    narrow: Narrow,
    viewer: User,
    { operator, operand, negated }: NarrowTerm,
    directs: Directs,
  ): Promise<void> {
    switch (operator) {
      case 'channel':
        this.#channel(narrow, viewer, operand, negated);
        return;
      case 'channels':
        this.#channels(narrow, viewer, operand, negated);
        return;
      case 'topic':
        this.#topic(narrow, operand, negated);
        return;
      case 'dm':
        this.#dm(narrow, viewer, operand, negated);
        return;
      case 'dm-including':
        this.#dmIncluding(narrow, await directs(), operand, negated, 1);
        return;
      case 'group-pm-with':
        this.#dmIncluding(narrow, await directs(), operand, negated, 3);
        return;
      case 'sender': {
        const { userId } = userOf(this.directory, operand);
        narrow.require(negated, ({ doc }) => doc.senderId === userId, where.eq('senderId', userId));
        if (!negated) narrow.isDirected = true;
        return;
      }
      case 'mentions': {
        const { userId } = userOf(this.directory, operand);
        narrow.require(negated, ({ doc }) => isMentioned(doc, userId), where.contains('singledOut', userId));
        if (!negated) narrow.isDirected = true;
        return;
      }
      case 'id': {
        const messageId = messageIdOf(operand);
        narrow.require(negated, ({ id }) => id === messageId, where.eq('$key', messageId));
        if (!negated) narrow.limitTo([messageId]);
        return;
      }
      case 'is':
        return this.#is(narrow, viewer, operand, negated);
      case 'in':
        if (operand !== 'all') throw badNarrow('this server supports only in:all');
        return;
      case 'near':
      case 'with':
        return;
    }
  }

  #channel(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): void {
    const channel = channelOf(this.directory, operand);
    if (channel === undefined || !mayKnowChannel(this.directory, viewer, channel)) throw badNarrow('unknown channel');
    const conversation = channelConversation(channel.channelId);
    narrow.require(negated, ({ doc }) => doc.conversation === conversation, where.eq('conversation', conversation));
    if (negated) return;
    narrow.channelId = channel.channelId;
    narrow.isProtected = !hasSharedHistory(channel);
    narrow.reachesHistory = mayReadChannel(this.directory, viewer, channel);
  }

  #channels(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): void {
    if (operand !== 'public' && operand !== 'web-public') throw badNarrow('unknown operand of channels');
    const wanted = [...this.directory.channels()].filter((channel) =>
      operand === 'public' ? !channel.inviteOnly : channel.isWebPublic,
    );
    const conversations = new Set(wanted.map(({ channelId }) => channelConversation(channelId)));
    const filter = where.in('conversation', [...conversations]);
    narrow.require(negated, ({ doc }) => conversations.has(doc.conversation), filter);
    if (negated || viewer.role >= ROLE.guest) return;
    narrow.reachesHistory = true;
  }

  #topic(narrow: Narrow, operand: NarrowOperand, negated: boolean): void {
    if (typeof operand === 'object') throw badNarrow('topic needs a name');
    const key = topicKeyOf(normalizeTopic(String(operand)));
    const filter = where.eq('topicKey', key);
    // Direct messages have the empty topic's key, and no topic.
    narrow.require(
      negated,
      ({ doc }) => doc.topic !== undefined && doc.topicKey === key,
      key === '' ? where.and(filter, CHANNELS) : filter,
    );
  }

  #dm(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): void {
    const others = usersOf(this.directory, operand).map(({ userId }) => userId);
    // Nobody at all is no conversation: notes to oneself name oneself.
    const participants = others.length === 0 ? [] : [...new Set([...others, viewer.userId])].sort((a, b) => a - b);
    const conversation = directConversation(participants);
    narrow.require(negated, ({ doc }) => doc.conversation === conversation, where.eq('conversation', conversation));
    if (negated) return;
    narrow.isDirected = true;
    narrow.isDirect = true;
  }

  #dmIncluding(
    narrow: Narrow,
    direct: readonly DirectConversation[],
    operand: NarrowOperand,
    negated: boolean,
    participantsMin: number,
  ): void {
    const wanted = usersOf(this.directory, operand).map(({ userId }) => userId);
    const matching = direct.filter(
      ({ participants }) =>
        participants.length >= participantsMin && wanted.every((userId) => participants.includes(userId)),
    );
    const conversations = new Set(matching.map(({ conversation }) => conversation));
    const filter = where.in('conversation', [...conversations]);
    narrow.require(negated, ({ doc }) => conversations.has(doc.conversation), filter);
    if (negated) return;
    narrow.isDirected = true;
    narrow.isDirect = true;
  }

  async #is(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): Promise<void> {
    switch (operand) {
      case 'dm':
      case 'private':
        narrow.require(negated, isDirect, DIRECTS);
        if (!negated) narrow.isDirect = true;
        return;
      case 'starred':
        narrow.require(negated, ({ personal }) => personal.starred);
        if (!negated) narrow.limitTo(await this.flags.all(viewer.userId, 'starred'));
        return;
      case 'unread':
        narrow.require(negated, (message) => isOwn(message) && !isRead(message.doc, message));
        if (!negated) narrow.limitTo((await this.unread.look(viewer)).unread.map(({ id }) => id));
        return;
      case 'mentioned': {
        const { userId } = viewer;
        const filter = where.or(where.contains('singledOut', userId), where.contains('singledOut', EVERYONE));
        narrow.require(negated, ({ doc, received }) => received && (isMentioned(doc, userId) || isWildcard(doc)));
        if (negated) return;
        narrow.filters.push(filter);
        narrow.isDirected = true;
        return;
      }
      case 'resolved':
        narrow.require(negated, ({ doc }) => doc.topic?.startsWith('✔ ') === true, RESOLVED);
        return;
      case 'alerted':
      case 'followed':
      case 'muted':
        throw badNarrow(`this server does not support is:${operand} yet`);
      default:
        throw badNarrow('unknown operand of is');
    }
  }
}

/** Saying a thing twice means no more, and must not cost more either: some terms are searches of their own. */
function distinct(terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}
