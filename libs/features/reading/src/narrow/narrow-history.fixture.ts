import type { MessageSent } from '#messages';
import { ROLE, type User } from '#users/model';
import { seeded, executing } from '#testing';
import { type ChangedFlags, ChangeFlagsCommand, changeFlags, FlagWriter } from '../mark/change-flags.js';
import { ReadSideFixture } from '../read-side.fixture.js';
import { isOwn } from '../flags/message-flags.js';
import { NarrowModel, type ModelMessage, type ModelTerm } from './narrow-model.fixture.js';

/** Forms of the same word for a search; those of the last line are stop words. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  run: ['run', 'runs', 'Running'],
  plan: ['plan', 'plans', 'planned', 'PLANNING'],
  cat: ['cat', 'cats'],
  lunch: ['lunch'],
  tea: ['tea'],
  '': ['the', 'and', 'is'],
};
const BASES = new Map(
  Object.entries(WORDS).flatMap(([base, forms]) => forms.map((form) => [form.toLowerCase(), base])),
);
const FORMS = Object.values(WORDS).flat();
const TOPICS = ['Lunch', 'lunch', 'tea plans', '✔ Lunch', '', 'Running'];
/** Only in a link address, which is not visible. */
const HIDDEN = 'zebra';

/** Ways to write a word, and the properties of a message with it. */
const MARKUP: readonly { html: (word: string) => string; has: readonly string[] }[] = [
  { html: (word) => `<strong>${word}</strong>`, has: [] },
  { html: (word) => `<a href="https://example.test/${HIDDEN}">${word}</a>`, has: ['link'] },
  { html: (word) => `<a class="stream" data-stream-id="9" href="/#narrow/channel/9-${HIDDEN}">#${word}</a>`, has: [] },
  { html: (word) => `<a href="/user_uploads/1/x.pdf">${word}</a>`, has: ['link', 'attachment'] },
  {
    html: (word) =>
      `${word}<div class="message_inline_image"><a href="/user_uploads/1/x.png"><img src="/user_uploads/1/x.png"></a></div>`,
    has: ['link', 'attachment', 'image'],
  },
  { html: (word) => `${word} <span aria-label="${HIDDEN}" class="emoji emoji-1f642">&amp;</span>`, has: [] },
];

/** A random history, applied to both the server and the model. */
export class NarrowHistory {
  readonly model = new NarrowModel((word) => BASES.get(word) ?? word);
  readonly users: User[] = [];
  readonly #flags: { execute(asked: ChangeFlagsCommand): Promise<ChangedFlags> };

  private constructor(
    readonly world: ReadSideFixture,
    private readonly random: () => number,
  ) {
    const writer = new FlagWriter(world.directory, world.runner, world.clock, world.announcer);
    this.#flags = executing(changeFlags, { messages: world.messages, seen: world.seen, writer });
  }

  static async tell(seed: number, steps: number): Promise<NarrowHistory> {
    const history = new NarrowHistory(await ReadSideFixture.create(), seeded(seed));
    for (const [name, role] of [
      ['ann', ROLE.member],
      ['bob', ROLE.administrator],
      ['cat', ROLE.guest],
      ['dan', ROLE.member],
    ] as const) {
      const user = await history.world.user(`${name}@example.com`, role);
      history.users.push(user);
      history.model.roles.set(user.userId, role);
    }
    for (const kind of ['public', 'public', 'private', 'protected', 'protected'] as const) {
      const name = `${kind}${history.model.channels.size}`;
      const id = await history.world.channel(name, kind);
      history.model.channels.set(id, { id, kind, name, subscribers: new Set() });
    }
    for (let step = 0; step < steps; step++) await history.step();
    return history;
  }

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** A random item, if there is any. */
  anyOf<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  some<T>(items: readonly T[], share = 0.4): T[] {
    return items.filter(() => this.chance(share));
  }

  /** One more random act. */
  async step(): Promise<void> {
    const acts: [number, () => Promise<void>][] = [
      [8, () => this.#send()],
      [3, () => this.#subscribe()],
      [2, () => this.#move()],
      [1, () => this.#delete()],
      [2, () => this.#edit()],
      [2, () => this.#react()],
      [5, () => this.#flag()],
      [1, () => this.#prefer()],
    ];
    const total = acts.reduce((sum, [weight]) => sum + weight, 0);
    let at = this.below(total);
    for (const [weight, act] of acts) {
      if (at < weight) return act();
      at -= weight;
    }
  }

  #content(): Pick<ModelMessage, 'content' | 'words' | 'has'> & {
    rendered: string | undefined;
    files: Pick<MessageSent['data'], 'files'>;
  } {
    const words = Array.from({ length: 1 + this.below(4) }, () => this.pick(FORMS));
    const bases = words.map((word) => BASES.get(word.toLowerCase())!).filter((base) => base !== '');
    const content = words.join(' ');
    if (this.chance(0.5)) return { content, words: bases, has: new Set(), rendered: undefined, files: {} };
    const markup = this.pick(MARKUP);
    const marked = words.map((word, index) => (index === 0 ? markup.html(word) : word)).join(' ');
    const files = markup.has.includes('attachment') ? { files: [{ fileId: 1, ownerId: 1 }] } : {};
    return { content, words: bases, has: new Set(markup.has), rendered: `<p>${marked}</p>`, files };
  }

  async #send(): Promise<void> {
    const sender = this.pick(this.users);
    const { rendered, files, ...said } = this.#content();
    const ids = this.users.map(({ userId }) => userId);
    const [mentions, alerted] = [this.some(ids, 0.15), this.some(ids, 0.15)];
    const wildcard = this.chance(0.1);
    const readBySender = this.chance(0.5);
    const readBy = this.some(ids, 0.1).slice(0, 8);
    const more: Partial<MessageSent['data']> = {
      content: said.content,
      ...(rendered === undefined ? {} : { rendered }),
      ...files,
      ...(mentions.length === 0 ? {} : { mentions }),
      ...(alerted.length === 0 ? {} : { alerted }),
      ...(wildcard ? { channelWildcard: true as const } : {}),
      ...(readBySender ? { readBySender: true as const } : {}),
      ...(readBy.length === 0 ? {} : { readBy }),
    };
    const isDirect = this.chance(0.25);
    const channelId = this.pick([...this.model.channels.keys()]);
    const topic = this.pick(TOPICS);
    const others = this.some(this.users);
    const id = await this.world.send(sender, isDirect ? others : { channelId, topic }, more);
    this.model.sent({
      id,
      senderId: sender.userId,
      readBySender,
      readBy,
      channelId: isDirect ? undefined : channelId,
      topic: isDirect ? undefined : topic,
      to: isDirect ? [...new Set([sender, ...others].map(({ userId }) => userId))].sort((a, b) => a - b) : [],
      mentions,
      alerted,
      wildcard,
      reactors: [],
      cameTo: new Set(),
      ...said,
    });
  }

  async #subscribe(): Promise<void> {
    const { id, subscribers } = this.pick([...this.model.channels.values()]);
    const user = this.pick(this.users);
    if (subscribers.delete(user.userId)) return this.world.unsubscribe(id, user);
    subscribers.add(user.userId);
    return this.world.subscribe(id, user);
  }

  async #move(): Promise<void> {
    const target = this.anyOf(this.model.messages.filter(({ channelId }) => channelId !== undefined));
    if (target === undefined) return;
    const from = { channelId: target.channelId!, topic: target.topic! };
    const to = {
      channelId: this.chance(0.5) ? from.channelId : this.pick([...this.model.channels.keys()]),
      topic: this.pick(TOPICS),
    };
    if (to.channelId === from.channelId && to.topic === from.topic) return;
    const ids = this.model.messages
      .filter(
        ({ channelId, topic }) => channelId === from.channelId && topic?.toLowerCase() === from.topic.toLowerCase(),
      )
      .map(({ id }) => id)
      .filter((id) => id === target.id || this.chance(0.6));
    const moved = { ids: ids.map((id): [number, number] => [id, id]), firstId: ids[0]!, from, to, at: 200 };
    await this.world.move(this.users[0]!, target.id, { ...moved, propagateMode: 'change_later' });
    // When the topic stays, each message keeps its own spelling of it.
    const topicOf = (id: number): string => (from.topic === to.topic ? this.message(id).topic! : to.topic);
    for (const id of ids) this.model.moved([id], { ...to, topic: topicOf(id) });
  }

  message(id: number): ModelMessage {
    return this.model.messages.find((message) => message.id === id)!;
  }

  async #delete(): Promise<void> {
    const target = this.anyOf(this.model.messages);
    if (target === undefined) return;
    const { id, channelId, topic, to } = target;
    const place = channelId === undefined ? { to: [...to] } : { channelId, topic: topic! };
    const by = this.users[0]!.userId;
    await this.world.change(id, { type: 'message.deleted.v1', data: { messageId: id, by, place, at: 300 } });
    this.model.deleted(id);
  }

  async #edit(): Promise<void> {
    const target = this.anyOf(this.model.messages);
    if (target === undefined) return;
    const { rendered, files, ...said } = this.#content();
    const { id, channelId, topic, to, mentions, alerted, wildcard } = target;
    await this.world.change(id, {
      type: 'message.edited.v1',
      data: {
        messageId: id,
        by: target.senderId,
        content: said.content,
        prevContent: target.content,
        ...(rendered === undefined ? {} : { rendered }),
        ...files,
        ...(mentions.length === 0 ? {} : { mentions: [...mentions] }),
        ...(alerted.length === 0 ? {} : { alerted: [...alerted] }),
        ...(wildcard ? { channelWildcard: true as const } : {}),
        place: channelId === undefined ? { to: [...to] } : { channelId, topic: topic! },
        at: 250,
      },
    });
    if (target.has.has('reaction')) said.has.add('reaction');
    Object.assign(target, said);
  }

  async #react(): Promise<void> {
    const { userId } = this.pick(this.users);
    const target = this.anyOf(this.model.messages);
    if (target === undefined || !this.model.isReadable(userId, target) || target.reactors.includes(userId)) return;
    const { id, channelId, topic, to } = target;
    const doc = (await this.world.messages.get(id))!;
    const [seen] = await this.world.seen.unchecked(userId, [{ id, doc }]);
    const emoji = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' as const };
    const place = channelId === undefined ? { to: [...to] } : { channelId, topic: topic! };
    const data = { messageId: id, userId, ...emoji, place, at: 260 };
    await this.world.change(id, {
      type: 'reaction.added.v1',
      data: isOwn(seen!) ? data : { ...data, historical: true as const },
    });
    this.model.reacted(userId, target);
  }

  async #flag(): Promise<void> {
    const user = this.world.again(this.pick(this.users));
    const targets = this.some(this.model.messages, 0.2).filter((one) => this.model.isReadable(user.userId, one));
    const op = this.pick(['add', 'add', 'remove'] as const);
    const flag = this.pick(['read', 'read', 'starred', 'collapsed'] as const);
    const ids = targets.map(({ id }) => id);
    await this.#flags.execute(new ChangeFlagsCommand(user, ids, op, flag));
    for (const target of targets) this.model.flag(user.userId, target, op, flag);
  }

  async #prefer(): Promise<void> {
    const { userId } = this.pick(this.users);
    if (this.chance(0.3)) {
      const mutedUserId = this.pick(this.users).userId;
      if (mutedUserId === userId) return;
      const type = this.pick(['mute.added.v1', 'mute.removed.v1'] as const);
      await this.world.prefer({ type, data: { userId, mutedUserId, at: 1 } });
      this.model.mute(userId, mutedUserId, type === 'mute.added.v1');
      return;
    }
    const channelId = this.pick([...this.model.channels.keys()]);
    const topic = this.pick(TOPICS);
    const policy = this.pick([0, 1, 1, 2, 3, 3] as const);
    await this.world.prefer({ type: 'topic-policy.set.v1', data: { userId, channelId, topic, policy, at: 1 } });
    this.model.setPolicy(userId, channelId, topic, policy);
  }

  /** A random narrow of one user: mostly few terms. */
  narrow(viewer: User): ModelTerm[] {
    const terms = Array.from({ length: this.pick([0, 1, 1, 1, 2, 2, 3]) }, () => this.#term(viewer));
    // `with` names the conversation of a message, and occurs once.
    const message = this.anyOf(this.model.messages);
    if (this.chance(0.1) && message !== undefined && this.model.isReadable(viewer.userId, message))
      terms.push({ operator: 'with', operand: message.id });
    return terms;
  }

  #term(viewer: User): ModelTerm {
    const ids = this.users.map(({ userId }) => userId);
    const searched = [
      ...FORMS,
      HIDDEN,
      `"${this.pick(FORMS)} ${this.pick(FORMS)}"`,
      `${this.pick(FORMS)} ${this.pick(FORMS)}`,
    ];
    const known = [...this.model.channels.values()].filter(
      ({ kind, subscribers }) => kind === 'public' || subscribers.has(viewer.userId),
    );
    const channels =
      viewer.role === ROLE.guest ? known.filter(({ subscribers }) => subscribers.has(viewer.userId)) : known;
    const terms: ModelTerm[] = [
      { operator: 'topic', operand: this.pick(TOPICS) },
      { operator: 'channels', operand: this.pick(['public', 'web-public']) },
      { operator: 'dm', operand: this.some(ids) },
      { operator: 'dm-including', operand: [this.pick(ids)] },
      { operator: 'group-pm-with', operand: this.pick(ids) },
      { operator: 'sender', operand: this.pick(ids) },
      { operator: 'mentions', operand: this.pick(ids) },
      { operator: 'id', operand: 1 + this.below(this.model.messages.length + 5) },
      { operator: 'has', operand: this.pick(['link', 'image', 'attachment', 'reaction']) },
      { operator: 'search', operand: this.pick(searched) },
      { operator: 'search', operand: this.pick(searched) },
      { operator: 'is', operand: this.pick(['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted']) },
      { operator: 'is', operand: this.pick(['resolved', 'followed', 'muted', 'unread']) },
      { operator: 'in', operand: this.pick(['home', 'all']) },
      { operator: 'near', operand: 1 },
      ...channels.slice(0, 3).map(({ id }) => ({ operator: 'channel', operand: id })),
    ];
    const term = this.pick(terms);
    const isDm = term.operator === 'dm' && term.operand.length === 0;
    const chosen = isDm ? { ...term, operand: [viewer.userId] } : term;
    return ['in', 'near'].includes(chosen.operator) || this.chance(0.7) ? chosen : { ...chosen, negated: true };
  }
}
