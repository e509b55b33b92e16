/** The model of the page: what is registered, kept true by events; the windows of messages; and what the reader does. */
import { ApiFailure, call, type Params, reasonOf } from '../../shared/api.js';
import { type Place, placeOfMessage, termsOf } from './place.js';
import type { ChatState, Connection, Settings } from './chat-state.js';
import { type ClientEvent, EventLoop } from './event-loop.js';
import { matches, MessageWindow } from './message-window.js';
import { narrowKey, type Term } from './narrow.js';
import { Outbox } from './outbox.js';
import { changedState, stateOf } from './state.js';
import { UnreadIndex, type UnreadMessages } from './unread.js';
import type { Message, Reaction, TopicPolicy } from './wire.js';

/** Windows that are kept, the last used first. */
const WINDOWS_MAX = 20;
/** Flags are changed together, once in this time. */
const FLAGS_EVERY_MS = 1000;
const TYPING_EVERY_MS = 10_000;
const TYPING_ENDS_MS = 15_000;

export class Chat {
  #state: ChatState | undefined;
  #unread: UnreadIndex | undefined;
  readonly #windows = new Map<string, MessageWindow>();
  readonly #listeners = new Set<() => void>();
  readonly #loop: EventLoop;
  readonly outbox: Outbox;
  #read = new Set<number>();
  #flagsTimer: ReturnType<typeof setTimeout> | undefined;
  #typingAtMs = 0;

  constructor(
    readonly meId: number,
    private readonly onSignedOut: () => void,
    /** Messages that arrive while the page is open. */
    private readonly onArrival: (message: Message) => void,
    /** Called with the reason why something was not done that the reader wanted. */
    private readonly onRefused: (reason: string) => void,
  ) {
    this.outbox = new Outbox(meId, this.#changed, onSignedOut);
    this.#loop = new EventLoop({
      registered: (given, isAgain) => this.#registered(given, isAgain),
      events: (events) => {
        for (const event of events) this.#apply(event);
        this.#changed();
      },
      connection: (connection) => this.#connect(connection),
      signedOut: onSignedOut,
    });
  }

  start(): void {
    void this.#loop.run();
  }

  stop(): void {
    this.#loop.stop();
  }

  readonly hurry = (): void => this.#loop.hurry();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Undefined until the first registration. */
  readonly state = (): ChatState | undefined => this.#state;

  /** The window of a narrow; one that is not loaded yet starts to. */
  window(terms: readonly Term[], near: number | undefined): MessageWindow {
    const key = narrowKey(terms);
    let found = this.#windows.get(key);
    if (found === undefined) {
      found = new MessageWindow(terms, this.#changed);
      this.#open(found, near);
    } else if (near !== undefined && !found.state.messages.some(({ id }) => id === near)) this.#open(found, near);
    this.#windows.delete(key);
    this.#windows.set(key, found);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > WINDOWS_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return found;
  }

  send(place: Place, content: string): void {
    this.outbox.add(place, content);
  }

  /** @param ids messages whose end was in view */
  see(ids: readonly number[]): void {
    const fresh = ids.filter((id) => this.#unread?.has(id) === true);
    if (fresh.length > 0) this.markRead(fresh);
  }

  markRead(ids: readonly number[]): void {
    this.#changeFlags({ flag: 'read', op: 'add', messages: ids });
    for (const id of ids) this.#read.add(id);
    if (this.#flagsTimer === undefined) this.#flagsTimer = setTimeout(() => this.#sendRead(), FLAGS_EVERY_MS);
    this.#changed();
  }

  markPlaceRead(place: Place): void {
    this.markRead(this.#unread?.idsOf(place) ?? []);
  }

  async star(message: Message): Promise<void> {
    const op = message.flags.includes('starred') ? 'remove' : 'add';
    await call('POST', '/messages/flags', { messages: [message.id], op, flag: 'starred' });
  }

  async react(
    message: Message,
    reaction: Pick<Reaction, 'emoji_name' | 'emoji_code' | 'reaction_type'>,
  ): Promise<void> {
    const isMine = message.reactions.some(
      ({ user_id, emoji_code, reaction_type }) =>
        user_id === this.meId && emoji_code === reaction.emoji_code && reaction_type === reaction.reaction_type,
    );
    const { emoji_name, emoji_code, reaction_type } = reaction;
    await call(isMine ? 'DELETE' : 'POST', `/messages/${message.id}/reactions`, {
      emoji_name,
      emoji_code,
      reaction_type,
    });
  }

  /** Marks a message and all behind it in its conversation as unread. */
  async markUnreadFrom(message: Message): Promise<void> {
    const narrow = termsOf(placeOfMessage(message, this.meId), this.meId);
    const params = { anchor: message.id, num_before: 0, num_after: 5000, include_anchor: true, narrow };
    await call('POST', '/messages/flags/narrow', { ...params, op: 'remove', flag: 'read' });
  }

  setTopicPolicy({ channelId, topic }: TopicPlace, policy: TopicPolicy): void {
    const params = { stream_id: channelId, topic, visibility_policy: policy };
    call('POST', '/user_topics', params).catch((error: unknown) => this.#tell(error));
  }

  /**
   * Renames a topic for all. What is refused stays as it was.
   * @param done called with the new place once it is there
   */
  renameTopic(place: TopicPlace, topic: string, done: (place: TopicPlace) => void): void {
    const rename = async (): Promise<void> => {
      const narrow = termsOf(place, this.meId);
      const newest = { anchor: 'newest', num_before: 1, num_after: 0, narrow, allow_empty_topic_name: true };
      const { messages } = await call<{ readonly messages: readonly Message[] }>('GET', '/messages', newest);
      const id = messages.at(-1)?.id;
      if (id === undefined) return;
      await call('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' });
      done({ ...place, topic });
    };
    rename().catch((error: unknown) => this.#tell(error));
  }

  /** Changes settings of the reader. What is refused stays as it was. */
  set(settings: Partial<Settings>): void {
    call('PATCH', '/settings', settings).catch((error: unknown) => this.#tell(error));
  }

  /** Tells others that the reader is typing, at most every few seconds. */
  type(place: Place): void {
    if (Date.now() - this.#typingAtMs < TYPING_EVERY_MS) return;
    this.#typingAtMs = Date.now();
    const where =
      place.kind === 'topic'
        ? { type: 'channel', stream_id: place.channelId, topic: place.topic }
        : { type: 'direct', to: place.userIds };
    if (place.kind === 'direct' && place.userIds.length === 0) return;
    // Nobody misses it.
    call('POST', '/typing', { op: 'start', ...where }).catch(() => undefined);
  }

  #open(window: MessageWindow, near: number | undefined): void {
    window.open(near ?? 'first_unread').catch((error: unknown) => this.#failed(error));
  }

  #failed(error: unknown): void {
    if (error instanceof ApiFailure && error.kind === 'signed-out') this.onSignedOut();
  }

  /** Tells the reader why something that they wanted was not done. */
  #tell(error: unknown): void {
    this.#failed(error);
    if (!(error instanceof ApiFailure) || error.kind !== 'signed-out') this.onRefused(reasonOf(error));
  }

  #registered(given: Params, isAgain: boolean): void {
    this.#unread = new UnreadIndex(given['unread_msgs'] as UnreadMessages, this.meId);
    this.#state = stateOf(given, this.meId, this.#unread);
    this.outbox.queueId = String(given['queue_id']);
    if (isAgain)
      for (const window of this.#windows.values()) window.refresh().catch((error: unknown) => this.#failed(error));
    this.outbox.resume();
    this.#changed();
  }

  #connect(connection: Connection): void {
    if (this.#state === undefined || this.#state.connection.kind === connection.kind) {
      if (connection.kind !== 'offline' || this.#state === undefined) return;
    }
    if (connection.kind === 'live' && this.#state.connection.kind === 'offline') this.outbox.resume();
    this.#state = { ...this.#state, connection };
    this.#changed();
  }

  #apply(event: ClientEvent): void {
    switch (event.type) {
      case 'message':
        this.#arrive(event);
        break;
      case 'update_message':
        this.#update(event);
        break;
      case 'delete_message':
        this.#delete(event);
        break;
      case 'reaction':
        this.#reaction(event);
        break;
      case 'update_message_flags':
        this.#changeFlags(event as unknown as FlagsChange);
        break;
      case 'typing':
        this.#typing(event);
        break;
      default:
        if (this.#state !== undefined) this.#state = changedState(this.#state, event);
    }
    if (this.#state !== undefined && this.#unread !== undefined) {
      const unread = this.#unread.snapshot();
      if (unread !== this.#state.unread) this.#state = { ...this.#state, unread };
    }
  }

  #arrive(event: ClientEvent): void {
    const message = { ...(event['message'] as Message), flags: event['flags'] as string[] };
    const localId = event['local_message_id'];
    if (typeof localId === 'string') this.outbox.settle(localId, message.id);
    const isMention = message.flags.some((flag) => flag.endsWith('mentioned'));
    const place = placeOfMessage(message, this.meId);
    if (!message.flags.includes('read')) this.#unread?.add(place, message.id, isMention);
    for (const window of this.#windows.values()) {
      if (matches(window.terms, message, this.meId) === true) window.append(message);
    }
    if (this.#state !== undefined) this.#state = changedState(this.#state, { ...event, type: 'message', place });
    this.onArrival(message);
  }

  #update(event: ClientEvent): void {
    const ids = new Set(event['message_ids'] as readonly number[]);
    const {
      message_id: id,
      rendered_content: content,
      edit_timestamp: at,
    } = event as unknown as {
      readonly message_id: number;
      readonly rendered_content?: string;
      readonly edit_timestamp: number;
    };
    const isSilent = event['rendering_only'] === true;
    if (content !== undefined) {
      const edit = { timestamp: at, prev_content: String(event['orig_content']) };
      this.#change([id], (message) => {
        const { edit_history: history = [] } = message;
        if (isSilent) return { ...message, content };
        // A window that was fetched meanwhile has the edit already, or later ones.
        const isKnown = history.some((one) => one.timestamp === at && one.prev_content === edit.prev_content);
        return isKnown ? message : { ...message, content, last_edit_timestamp: at, edit_history: [edit, ...history] };
      });
    }
    const [channelId, topic] = [event['new_stream_id'] as number | undefined, event['subject'] as string | undefined];
    if (channelId === undefined && topic === undefined) return;
    const from = event['stream_id'] as number;
    this.#change([...ids], (message) => ({
      ...message,
      stream_id: channelId ?? from,
      subject: topic ?? message.subject,
      ...(!isSilent && { last_moved_timestamp: at }),
    }));
    const to = { kind: 'topic', channelId: channelId ?? from, topic: topic ?? String(event['orig_subject']) } as const;
    this.#unread?.move([...ids], to);
    this.#reconcile(ids, to);
  }

  /** Messages that moved away leave a window; one that they moved to is fetched again. */
  #reconcile(ids: ReadonlySet<number>, to: Place): void {
    for (const window of this.#windows.values()) {
      const gone = window.state.messages.filter(
        (one) => ids.has(one.id) && matches(window.terms, one, this.meId) === false,
      );
      window.remove(new Set(gone.map(({ id }) => id)));
      const [channel, topic] = window.terms;
      const isTarget = to.kind === 'topic' && channel?.operator === 'channel' && channel.operand === to.channelId;
      const isTopic =
        topic === undefined || (to.kind === 'topic' && String(topic.operand).toLowerCase() === to.topic.toLowerCase());
      if (isTarget && isTopic) window.refresh().catch((error: unknown) => this.#failed(error));
    }
  }

  #delete(event: ClientEvent): void {
    const ids = (event['message_ids'] ?? [event['message_id']]) as readonly number[];
    this.#unread?.remove(ids);
    for (const window of this.#windows.values()) window.remove(new Set(ids));
  }

  #reaction(event: ClientEvent): void {
    const { message_id: id, ...reaction } = event as unknown as Reaction & { readonly message_id: number };
    const isSame = (other: Reaction): boolean =>
      other.user_id === reaction.user_id &&
      other.emoji_code === reaction.emoji_code &&
      other.reaction_type === reaction.reaction_type;
    this.#change([id], (message) => ({
      ...message,
      reactions: [...message.reactions.filter((other) => !isSame(other)), ...(event.op === 'add' ? [reaction] : [])],
    }));
  }

  #changeFlags({ flag, op, messages, all = false }: FlagsChange): void {
    const change = (message: Message): Message => {
      if (message.flags.includes(flag) === (op === 'add')) return message;
      const flags = op === 'add' ? [...message.flags, flag] : message.flags.filter((one) => one !== flag);
      return { ...message, flags };
    };
    if (flag === 'read' && all) this.#unread?.clear();
    else if (flag === 'read' && op === 'add') this.#unread?.remove(messages);
    else if (flag === 'read') this.#unreadAgain(messages);
    this.#change(messages, change);
    if (this.#state !== undefined && this.#unread !== undefined)
      this.#state = { ...this.#state, unread: this.#unread.snapshot() };
  }

  #unreadAgain(ids: readonly number[]): void {
    const wanted = new Set(ids);
    for (const window of this.#windows.values())
      for (const message of window.state.messages)
        if (wanted.delete(message.id)) {
          const isMention = message.flags.some((flag) => flag.endsWith('mentioned'));
          this.#unread?.add(placeOfMessage(message, this.meId), message.id, isMention);
        }
  }

  #typing(event: ClientEvent): void {
    if (this.#state === undefined) return;
    this.#state = changedState(this.#state, event);
    // Whoever closes the page does not say that they stop.
    setTimeout(() => {
      if (this.#state === undefined) return;
      this.#state = changedState(this.#state, { id: -1, type: 'typing-over' });
      this.#changed();
    }, TYPING_ENDS_MS + 1000);
  }

  #sendRead(): void {
    const ids = [...this.#read];
    this.#read = new Set();
    this.#flagsTimer = undefined;
    call('POST', '/messages/flags', { messages: ids, op: 'add', flag: 'read' }).catch((error: unknown) => {
      this.#failed(error);
      // Tried again with the next that are read.
      if (!(error instanceof ApiFailure) || error.kind !== 'refused') for (const id of ids) this.#read.add(id);
    });
  }

  #change(ids: readonly number[], change: (message: Message) => Message): void {
    const wanted = new Set(ids);
    for (const window of this.#windows.values()) window.change(wanted, change);
  }

  readonly #changed = (): void => {
    for (const listener of this.#listeners) listener();
  };
}

type TopicPlace = Extract<Place, { readonly kind: 'topic' }>;

interface FlagsChange {
  readonly flag: string;
  readonly op: 'add' | 'remove';
  readonly messages: readonly number[];
  readonly all?: boolean;
}
