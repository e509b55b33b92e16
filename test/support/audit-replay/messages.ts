import { type ExpectedRow, isOf, isUpTo, type RawEvent, type RawLog, timeOf, type Until } from './raw-log.js';
import { NaiveState } from './state.js';

/** Deletions of messages alone, with their topic, and by their age. */
export const isDeletion = ({ type }: RawEvent): boolean => /^messages?\.(?:deleted|expired)\.v1$/.test(type);
export const isMove = ({ type }: RawEvent): boolean => type === 'messages.moved.v1';
/** What an event makes of the wording of a message. */
const editIn = ({ type, data }: RawEvent, id: number): any => {
  if (type === 'message.edited.v1') return data;
  return type === 'messages.moved.v1' && data.targetId === id ? data.edit : undefined;
};

/** When a topic stays, each message keeps its own spelling of it. */
const moved = (place: any, { data: { from, to } }: RawEvent): any => ({
  ...to,
  topic: from.topic === to.topic ? place.topic : to.topic,
});

function contentOf({ content, rendered, mentions, channelWildcard, topicWildcard, alerted, files }: any): object {
  return {
    content,
    rendered,
    mentions,
    channel_wildcard: channelWildcard,
    topic_wildcard: topicWildcard,
    alerted,
    files: files?.map(({ fileId, ownerId }: any) => ({ file_id: fileId, owner_id: ownerId })),
  };
}

/** Messages, topics, words, and what somebody did, by going through the whole log for each question. */
export class NaiveMessages {
  readonly #states = new Map<number, NaiveState>();

  #deletions: readonly RawEvent[] | undefined;

  constructor(private readonly log: RawLog) {}

  /** The organization just after an event. */
  stateAt(position: number): NaiveState {
    let state = this.#states.get(position);
    if (state === undefined) this.#states.set(position, (state = new NaiveState(this.log.upTo({ position }))));
    return state;
  }

  sent(id: number): RawEvent | undefined {
    return this.log.events.find(({ stream, revision }) => stream === '1.messages' && revision === id - 1);
  }

  /** Lines without files and notices, and without the diffs of edits. */
  message(id: number, until?: Until): ExpectedRow[] {
    const { log } = this;
    const sent = this.sent(id);
    if (sent === undefined || !isUpTo(until, sent.position, timeOf(sent))) return [];
    const { senderId, client, readBySender } = sent.data;
    const rows = [
      log.row(sent, 'sent', {
        message_id: id,
        version: 1,
        sender: log.user(senderId),
        place: log.place(sent.data),
        ...contentOf(sent.data),
        client,
        read_by_sender: readBySender,
      }),
      ...this.#delivered(id, sent, sent.data.channelId),
    ];
    let version = 1;
    let place = sent.data;
    for (const event of log.upTo(until)) {
      if (event.stream === '1.messages' || !isOf(event, id)) continue;
      const { type, data } = event;
      const row = (what: string, more: object): void =>
        void rows.push(log.row(event, what, { message_id: id, ...more }));
      if (isMove(event)) {
        const { from, to, propagateMode, targetId } = data;
        const left = { ...from, topic: place.topic };
        place = moved(place, event);
        row('moved', {
          from: log.place(left),
          to: log.place(place),
          propagate_mode: propagateMode,
          target_id: targetId,
        });
        if (from.channelId !== to.channelId) rows.push(...this.#delivered(id, event, to.channelId));
      }
      const edit = editIn(event, id);
      if (edit !== undefined)
        row('edited', { place: log.place(data.place ?? data.to), version: ++version, ...contentOf(edit) });
      if (isDeletion(event)) {
        const how = { 'message.deleted.v1': 'itself', 'messages.deleted.v1': 'topic' }[type] ?? 'retention';
        const gone = place.to === undefined ? { ...data.place, topic: place.topic } : data.place;
        row('deleted', { deleted_with: how, place: log.place(gone), policy: data.policy });
      }
      if (type.startsWith('reaction.')) {
        const { emojiName, emojiCode, reactionType } = data;
        const what = type === 'reaction.added.v1' ? 'reacted' : 'unreacted';
        row(what, { emoji_name: emojiName, emoji_code: emojiCode, reaction_type: reactionType });
      }
      if (type === 'submessage.added.v1') row('submessage', { content: data.content });
      if (type === 'flags.changed.v1') row('flag', { user: log.user(data.userId), flag: data.flag, op: data.op });
    }
    return rows;
  }

  /** Whom an event brought the message, and who had muted its sender then. */
  #delivered(id: number, event: RawEvent, channelId: number): ExpectedRow[] {
    const { log } = this;
    const senderId = this.sent(id)?.data.senderId;
    const { mentions = [], unreadFor, readBy } = event.data;
    const isSend = event.stream === '1.messages';
    const to = isSend ? event.data.to : undefined;
    const state = this.stateAt(event.position);
    const inside = [...state.users.keys()].filter((user) => state.isSubscribed(user, channelId)).sort((a, b) => a - b);
    const how = new Map<number, string>(
      (to ?? inside).map((user: number) => [user, to ? 'participant' : 'subscribed']),
    );
    if (isSend) for (const user of mentions) if (!how.has(user)) how.set(user, 'mentioned');
    if (isSend && !how.has(senderId)) how.set(senderId, 'sender');
    return [...how].map(([user, reason]) => {
      const mute = this.log
        .upTo({ position: event.position })
        .findLast(
          ({ type, data }) => type.startsWith('mute.') && data.userId === user && data.mutedUserId === senderId,
        );
      const isRead =
        isSend &&
        (unreadFor?.includes(user) === false || readBy?.includes(user) === true || mute?.type === 'mute.added.v1');
      const more = isRead ? { arrived_read: true } : {};
      return log.row(event, 'delivered', { message_id: id, user: log.user(user), how: reason, ...more });
    });
  }

  /** Wordings with the events that made them, each with its place. */
  versions(id: number, until?: Until): { readonly event: RawEvent; readonly content: any; readonly place: any }[] {
    const sent = this.sent(id);
    if (sent === undefined || !isUpTo(until, sent.position, timeOf(sent))) return [];
    let place = sent.data;
    const found = [{ event: sent, content: sent.data, place }];
    for (const event of this.log.upTo(until)) {
      if (event.stream === '1.messages' || !isOf(event, id)) continue;
      if (isMove(event)) place = moved(place, event);
      const edit = editIn(event, id);
      if (edit !== undefined) found.push({ event, content: edit, place });
    }
    return found;
  }

  /** Where the message stood, by its last move; undefined when it was not there, or gone. */
  standing(id: number, until?: Until): { readonly place: any; readonly arrival: RawEvent } | undefined {
    const sent = this.sent(id);
    if (sent === undefined || !isUpTo(until, sent.position, timeOf(sent))) return undefined;
    const events = this.log.upTo(until).filter((event) => event.stream !== '1.messages' && isOf(event, id));
    if (events.some(isDeletion)) return undefined;
    const moves = events.filter(isMove);
    const isFromElsewhere = ({ data: { from, to } }: RawEvent): boolean => from.channelId !== to.channelId;
    return { place: moves.reduce(moved, sent.data), arrival: moves.findLast(isFromElsewhere) ?? sent };
  }

  topic(channelId: number, topic: string, until?: Until): ExpectedRow[] {
    const { log } = this;
    const later = log.after(until);
    return this.#ids().flatMap((id) => {
      const { place } = this.standing(id, until) ?? {};
      if (place?.channelId !== channelId || place.topic.toLowerCase() !== topic.toLowerCase()) return [];
      const all = this.versions(id).length;
      const versions = this.versions(id, until);
      const left = until && later.find((event) => (isDeletion(event) || isMove(event)) && isOf(event, id));
      const sent = this.sent(id) as RawEvent;
      return [
        log.row(sent, 'message', {
          message_id: id,
          sender: log.user(sent.data.senderId),
          version: versions.length,
          topic: place.topic,
          ...contentOf(versions.at(-1)?.content),
          ...(all > versions.length ? { edited_since: all - versions.length } : {}),
          ...(left === undefined ? {} : { left: this.#leaving(left) }),
        }),
      ];
    });
  }

  #leaving(event: RawEvent): object {
    const { type, ...row } = this.log.row(event, isMove(event) ? 'moved' : 'deleted');
    return { type, ...row };
  }

  search(words: readonly string[], until?: Until): ExpectedRow[] {
    const { log } = this;
    return this.#ids().flatMap((id) => {
      const versions = this.versions(id, until);
      const isGone = versions.length > 0 && this.standing(id, until) === undefined;
      return versions.flatMap(({ event, content, place }, index) => {
        const has = content.content.toLowerCase().split(/[^a-z0-9]+/);
        if (!words.every((word) => has.includes(word))) return [];
        return [
          log.row(event, 'found', {
            message_id: id,
            version: index + 1,
            state: isGone ? 'deleted' : index + 1 === versions.length ? 'current' : 'replaced',
            sender: log.user(this.sent(id)?.data.senderId),
            place: log.place(place),
            ...contentOf(content),
          }),
        ];
      });
    });
  }

  /** Everything that a user or the operator did: in the order of the log, and then sends that are deleted by now. */
  acts(who: number | 'operator', from: Until | undefined, until: Until | undefined): ExpectedRow[] {
    const { log } = this;
    const isAsked = (position: number, at: number): boolean =>
      isUpTo(until, position, at) && (from === undefined || !isUpTo(from, position, at));
    const isBy = (event: Pick<RawEvent, 'data' | 'metadata'>): boolean => {
      const { kind, user_id } = log.actor(event);
      return who === 'operator' ? kind === who : user_id === who;
    };
    const gone: ExpectedRow[] = [];
    const rows = log.events.flatMap((event): ExpectedRow[] => {
      const { type, data, position, stream, revision } = event;
      if (type === 'uses.noted.v1')
        return data.uses
          .filter(({ o, at }: any) => isAsked(position, at) && isBy({ data: {}, metadata: { o } }))
          .map((use: any) => log.use(event, use));
      if (!isAsked(position, timeOf(event))) return [];
      if (type === 'message.sent.v1') {
        if (stream !== '1.messages' || data.senderId !== who) return [];
        const id = revision + 1;
        const row = log.row(event, 'sent', { message_id: id, place: log.place(data), ...contentOf(data) });
        if (!this.#isGone(id)) return [row];
        gone.push({ ...row, is_deleted: true });
        return [];
      }
      if (['send.reserved.v1', 'visit.began.v1'].includes(type) || !isBy(event)) return [];
      return [log.recorded(event, 'did', { act: type.replace(/\.v\d+$/, '') })];
    });
    return [...rows, ...gone];
  }

  #isGone(id: number): boolean {
    this.#deletions ??= this.log.events.filter(isDeletion);
    return this.#deletions.some((event) => isOf(event, id));
  }

  #ids(): number[] {
    return this.log.events.filter(({ stream }) => stream === '1.messages').map(({ revision }) => revision + 1);
  }
}
