import { ROLE } from '#users/model';
import type { FlagOperation, SettableFlag } from '../mark/flags.decider.js';

/** A user's row for a message in their history: what the server derives is stored here. */
interface Row {
  received: boolean;
  arrivedRead: boolean;
  read: boolean;
  /** Marked as unread by hand. */
  unread: boolean;
  starred: boolean;
  collapsed: boolean;
  historical: boolean;
}

export interface ModelMessage {
  readonly id: number;
  readonly senderId: number;
  readonly readBySender: boolean;
  readonly readBy: readonly number[];
  channelId: number | undefined;
  topic: string | undefined;
  /** All participants. */
  readonly to: readonly number[];
  content: string;
  /** The words of its content in their basic forms. */
  words: readonly string[];
  has: Set<string>;
  mentions: readonly number[];
  wildcard: boolean;
  alerted: readonly number[];
  reactors: number[];
  /** Users who were subscribed when it arrived in its channel. */
  cameTo: Set<number>;
}

export interface ModelChannel {
  readonly id: number;
  readonly kind: 'public' | 'private' | 'protected';
  readonly name: string;
  readonly subscribers: Set<number>;
}

export interface ModelTerm {
  readonly operator: string;
  readonly operand: any;
  readonly negated?: boolean;
}

const RESOLVED = '✔ ';
const topicKey = (topic: string): string => topic.toLowerCase();

/** Reference model: a plain array of messages, and a row for every user who has one. */
export class NarrowModel {
  readonly roles = new Map<number, number>();
  readonly channels = new Map<number, ModelChannel>();
  readonly messages: ModelMessage[] = [];
  readonly #rows = new Map<string, Row>();
  readonly #mutes = new Set<string>();
  readonly #policies = new Map<string, number>();

  /** @param baseOf search form of a word; the empty string for stop words */
  constructor(private readonly baseOf: (word: string) => string) {}

  row(userId: number, id: number): Row | undefined {
    return this.#rows.get(`${userId}:${id}`);
  }

  #newRow(userId: number, id: number, row: Partial<Row>): Row {
    const empty = { arrivedRead: false, read: false, unread: false, starred: false, collapsed: false };
    const made = { ...empty, received: false, historical: false, ...row };
    this.#rows.set(`${userId}:${id}`, made);
    return made;
  }

  sent(message: ModelMessage): void {
    const channel = message.channelId === undefined ? undefined : this.channels.get(message.channelId)!;
    for (const userId of channel?.subscribers ?? []) message.cameTo.add(userId);
    // Mentions reach users who may read the channel without a subscription, never guests.
    const reached =
      channel?.kind === 'public' ? message.mentions.filter((userId) => this.roles.get(userId)! < ROLE.guest) : [];
    for (const userId of new Set([...(channel?.subscribers ?? message.to), message.senderId, ...reached]))
      this.#newRow(userId, message.id, {
        received: true,
        arrivedRead: this.#mutes.has(`${userId}:${message.senderId}`),
      });
    this.messages.push(message);
  }

  deleted(id: number): void {
    this.messages.splice(
      this.messages.findIndex((message) => message.id === id),
      1,
    );
  }

  moved(ids: readonly number[], to: { channelId: number; topic: string }): void {
    const { subscribers } = this.channels.get(to.channelId)!;
    for (const message of this.messages.filter(({ id }) => ids.includes(id))) {
      message.topic = to.topic;
      if (message.channelId === to.channelId) continue;
      message.channelId = to.channelId;
      message.cameTo = new Set(subscribers);
      for (const userId of this.roles.keys()) {
        const row = this.row(userId, message.id);
        if (row !== undefined && !subscribers.has(userId)) row.received = false;
      }
    }
  }

  mute(userId: number, mutedId: number, isMuted: boolean): void {
    if (isMuted) this.#mutes.add(`${userId}:${mutedId}`);
    else this.#mutes.delete(`${userId}:${mutedId}`);
  }

  setPolicy(userId: number, channelId: number, topic: string, policy: number): void {
    this.#policies.set(`${userId}:${channelId}:${topicKey(topic)}`, policy);
  }

  /** Adds a message to the history of a user who reacts to it. */
  reacted(userId: number, message: ModelMessage): void {
    message.reactors.push(userId);
    message.has.add('reaction');
    if (!this.isOwn(userId, message))
      (this.row(userId, message.id) ?? this.#newRow(userId, message.id, {})).historical = true;
  }

  flag(userId: number, message: ModelMessage, op: FlagOperation, flag: SettableFlag): void {
    const { channelId } = message;
    const isUnreading = flag === 'read' && op === 'remove';
    if (isUnreading && channelId !== undefined && !this.channels.get(channelId)!.subscribers.has(userId)) return;
    const isSet = flag === 'read' ? this.isRead(userId, message) : this.row(userId, message.id)?.[flag] === true;
    if (isSet === (op === 'add')) return;
    const isForeign = !this.isOwn(userId, message);
    const row = this.row(userId, message.id) ?? this.#newRow(userId, message.id, {});
    row[flag] = op === 'add';
    if (flag === 'read') row.unread = op === 'remove';
    if (isForeign) row.historical = true;
  }

  mayReadChannel(userId: number, channelId: number): boolean {
    const { kind, subscribers } = this.channels.get(channelId)!;
    if (subscribers.has(userId)) return true;
    return kind === 'public' && this.roles.get(userId)! < ROLE.guest;
  }

  isReadable(userId: number, { channelId, to, cameTo }: ModelMessage): boolean {
    if (channelId === undefined) return to.includes(userId);
    if (!this.mayReadChannel(userId, channelId)) return false;
    return this.channels.get(channelId)!.kind !== 'protected' || cameTo.has(userId);
  }

  isOwn(userId: number, { id }: ModelMessage): boolean {
    const row = this.row(userId, id);
    if (row === undefined) return false;
    return row.received || row.historical || row.starred || row.collapsed || row.unread;
  }

  isRead(userId: number, { id, senderId, readBySender, readBy }: ModelMessage): boolean {
    const row = this.row(userId, id);
    if (row?.unread === true) return false;
    if (row?.received !== true || row.read || row.arrivedRead) return true;
    return readBy.includes(userId) || (senderId === userId && readBySender);
  }

  flagsOf(userId: number, message: ModelMessage): string[] {
    const row = this.row(userId, message.id);
    const has = (isSet: boolean | undefined, ...names: string[]): string[] => (isSet === true ? names : []);
    const personal = [
      ...has(this.isRead(userId, message), 'read'),
      ...has(row?.starred, 'starred'),
      ...has(row?.collapsed, 'collapsed'),
    ];
    if (row?.received !== true) return [...personal, 'historical'].sort();
    return [
      ...personal,
      ...has(message.mentions.includes(userId), 'mentioned'),
      ...has(message.wildcard, 'stream_wildcard_mentioned', 'wildcard_mentioned'),
      ...has(message.alerted.includes(userId), 'has_alert_word'),
    ].sort();
  }

  /** IDs of the matching messages, ascending. */
  matching(userId: number, terms: readonly ModelTerm[]): number[] {
    const effective = this.#withFollowed(userId, terms);
    const reaches = this.#reachesHistory(userId, effective);
    const searches = effective.filter(({ operator, negated }) => operator === 'search' && negated !== true);
    const joined = searches.map(({ operand }) => String(operand)).join(' ');
    const others = effective.filter((term) => !searches.includes(term));
    return this.messages
      .filter((message) => this.isReadable(userId, message) && (reaches || this.isOwn(userId, message)))
      .filter((message) => searches.length === 0 || this.#found(joined, message))
      .filter((message) => others.every((term) => this.#holds(userId, term, message) !== (term.negated === true)))
      .map(({ id }) => id);
  }

  /** The lowest matching ID that is unread and not muted. */
  firstUnread(userId: number, terms: readonly ModelTerm[]): number | undefined {
    return this.matching(userId, [...terms, { operator: 'is', operand: 'unread' }]).find((id) => {
      const { channelId, topic = '' } = this.messages.find((message) => message.id === id)!;
      return channelId === undefined || !this.#isMuted(userId, channelId, topic);
    });
  }

  #withFollowed(userId: number, terms: readonly ModelTerm[]): readonly ModelTerm[] {
    const withs = terms.find(({ operator }) => operator === 'with');
    if (withs === undefined) return terms;
    const others = terms.filter((term) => term !== withs);
    const message = this.messages.find(({ id }) => id === withs.operand);
    if (message === undefined || !this.isReadable(userId, message)) return others;
    const place =
      message.channelId === undefined
        ? [{ operator: 'dm', operand: message.to }]
        : [
            { operator: 'channel', operand: message.channelId },
            { operator: 'topic', operand: message.topic },
          ];
    return [...place, ...others.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator))];
  }

  #reachesHistory(userId: number, terms: readonly ModelTerm[]): boolean {
    if (terms.some(({ operator, operand }) => operator === 'is' && operand !== 'resolved')) return false;
    return terms.some(({ operator, operand, negated }) => {
      if (negated === true) return false;
      if (operator === 'channel') return this.mayReadChannel(userId, operand);
      return operator === 'channels' && this.roles.get(userId)! < ROLE.guest;
    });
  }

  #isMuted(userId: number, channelId: number, topic: string): boolean {
    return this.#policy(userId, channelId, topic) === 1;
  }

  #policy(userId: number, channelId: number, topic: string): number {
    return this.#policies.get(`${userId}:${channelId}:${topicKey(topic)}`) ?? 0;
  }

  #holds(userId: number, { operator, operand }: ModelTerm, message: ModelMessage): boolean {
    const { channelId, topic, to } = message;
    switch (operator) {
      case 'channel':
        return channelId === operand;
      case 'channels':
        return channelId !== undefined && operand === 'public' && this.channels.get(channelId)!.kind === 'public';
      case 'topic':
        return topic !== undefined && topicKey(topic) === topicKey(operand);
      case 'dm':
        return (
          channelId === undefined && String([...new Set([...operand, userId])].sort((a, b) => a - b)) === String(to)
        );
      case 'dm-including':
        return channelId === undefined && operand.every((id: number) => to.includes(id));
      case 'group-pm-with':
        return channelId === undefined && to.length > 2 && to.includes(operand);
      case 'sender':
        return message.senderId === operand;
      case 'mentions':
        return message.mentions.includes(operand);
      case 'id':
        return message.id === operand;
      case 'has':
        return message.has.has(operand);
      case 'search':
        return this.#found(operand, message);
      case 'is':
        return this.#is(userId, operand, message);
      case 'in':
        return operand === 'all' || channelId === undefined || !this.#isMuted(userId, channelId, topic!);
      default:
        return true;
    }
  }

  #is(userId: number, operand: string, message: ModelMessage): boolean {
    const { id, channelId, topic = '' } = message;
    const row = this.row(userId, id);
    const isReceived = row?.received === true;
    switch (operand) {
      case 'dm':
      case 'private':
        return channelId === undefined;
      case 'starred':
        return row?.starred === true;
      case 'unread':
        return this.isOwn(userId, message) && !this.isRead(userId, message);
      case 'mentioned':
        return isReceived && (message.mentions.includes(userId) || message.wildcard);
      case 'alerted':
        return isReceived && message.alerted.includes(userId);
      case 'resolved':
        return topic.startsWith(RESOLVED);
      case 'followed':
        return channelId !== undefined && this.#policy(userId, channelId, topic) === 3;
      case 'muted':
        return channelId !== undefined && this.#isMuted(userId, channelId, topic);
      default:
        throw new Error(`is:${operand}?`);
    }
  }

  #found(asked: string, { content, words, topic = '' }: ModelMessage): boolean {
    const there = new Set([...words, ...wordsIn(topic).map(this.baseOf)]);
    const [quoted, plain] = [asked.match(/"[^"]+"/g) ?? [], wordsIn(asked).map(this.baseOf)];
    const wanted = plain.filter((word) => word !== '');
    if (wanted.length + quoted.length === 0 || !wanted.every((word) => there.has(word))) return false;
    const text = [content.toLowerCase(), topic.toLowerCase()];
    return quoted.every((phrase) => text.some((one) => one.includes(phrase.slice(1, -1).toLowerCase())));
  }
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? [];
}
