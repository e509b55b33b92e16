/** The model of the page: the client library, and what the reader does. */
import {
  CAPABILITIES,
  Client,
  type Destination,
  type Draft,
  Drafts,
  FlagBatch,
  type Outgoing,
  registeredOf,
  type ServerEvent,
  type SessionStatus,
  type State,
} from '#client';
import { ApiFailure, askSession, call, reasonOf, reconnection, sessionEnd, transport } from '../../shared/api.js';
import { InTurn } from '../../shared/in-turn.js';
import type { OutgoingMessage } from '../rows.js';
import { BrowserStorage } from './browser-storage.js';
import type { ChatState, Settings } from './chat-state.js';
import { keepState, type Kept, type KeptPage, windowsOf } from './kept-state.js';
import { MessageWindow } from './message-window.js';
import { type Moving, movingOf } from './moving.js';
import { narrowKey, type Term } from './narrow.js';
import { directWith, type Place, placeKey, placeOfMessage, recipientsOf, termsOf, type TopicPlace } from './place.js';
import { Presences } from './presence.js';
import { sessionMark } from './session-mark.js';
import { SharedPoll } from './shared-poll.js';
import { shownState, unreadIdsOf } from './shown-state.js';
import { Typists } from './typists.js';
import type { Emoji, Message, TopicPolicy } from './wire.js';

/** Windows that are kept, the last used first. */
const WINDOWS_MAX = 20;
/** Events by which the reader may lose a channel. */
const CHANNEL_LOST = /^(subscription\/remove|stream\/delete)$/;
const TYPING_EVERY_MS = 10_000;

const REGISTER = {
  client_gravatar: false,
  client_capabilities: { ...CAPABILITIES, user_avatar_url_field_optional: false },
};

export interface ChatHandlers {
  /** Called when the session has ended; `resume` goes on. */
  readonly signedOut: () => void;
  /** Called when it goes on, also because somebody has signed in again in another tab. */
  readonly live: () => void;
  /** Messages that arrive while the page is open. */
  readonly arrived: (message: Message) => void;
  /** Called with the reason why something was not done that the reader wanted. */
  readonly refused: (reason: string) => void;
}

export class Chat {
  readonly #client: Client;
  readonly #poll: SharedPoll;
  readonly #windows = new Map<string, MessageWindow>();
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: ServerEvent) => void>();
  readonly #shown = shownState();
  readonly #typists: Typists;
  readonly presences: Presences;
  readonly #byPlace = new Map<string, readonly OutgoingMessage[]>();
  #outgoing: readonly Outgoing[] = [];
  #typingAtMs = 0;
  readonly #policies = new InTurn();
  /** The status at the last change; another one each time that the client tells it. */
  #before: SessionStatus = { kind: 'connecting' };
  /** Whether drafts and messages on their way are there. */
  #hasLoaded = false;
  /** Of the session in which the server has said who signed in; that of what was kept is the same. */
  #mark = sessionMark();
  #isConfirmed = false;
  #keepNow = (): void => undefined;
  /** Local IDs of messages that were sent from here, by their IDs. */
  readonly keys = new Map<number, string>();

  constructor(
    readonly meId: number,
    private readonly handlers: ChatHandlers,
    kept: Kept | undefined,
  ) {
    // Also when what is shown was kept, and the server has named nobody yet.
    transport.account = meId;
    this.#typists = new Typists(meId, this.#changed);
    this.presences = new Presences(this.model, this.#changed);
    this.#poll = new SharedPoll({
      meId,
      transport,
      state: () => {
        const { state } = this.#client.store.get();
        return state === undefined ? undefined : registeredOf(state);
      },
      isOwnSession: () => this.#isOwnSession(),
      wake: () => this.#client.wake(),
      resume: () => this.#client.session.resume(),
    });
    this.#client = new Client({
      transport: this.#poll,
      storage: new BrowserStorage(`chat/${meId}/`),
      register: REGISTER,
      drafts: Drafts,
      flags: FlagBatch,
      ...(kept !== undefined && { kept: kept.state }),
      onEvent: (event) => this.#take(event),
      onReport: (text) => console.warn(text),
    });
    const { store } = this.#client;
    const { state } = store.get();
    if (kept !== undefined && state !== undefined) store.set({ ...store.get(), windows: windowsOf(kept.pages, state) });
    store.subscribe(() => this.#update());
  }

  start(): void {
    void this.#client.start().finally(() => {
      this.#hasLoaded = true;
      this.#changed();
    });
    this.#keepNow = keepState(this.meId, () => {
      const { state, status, windows } = this.#client.store.get();
      const isSignedOut = status.kind === 'signed-out' || status.kind === 'stopped';
      if (isSignedOut || state === undefined || !this.#isConfirmed) return undefined;
      const pages = (): readonly KeptPage[] => [...this.#windows.values()].reverse().flatMap((one) => one.kept() ?? []);
      return { state, windows, pages, mark: this.#mark };
    });
    this.presences.start();
    addEventListener('online', this.hurry);
    // A held poll would not notice.
    sessionEnd.addEventListener('end', this.hurry);
    // A held poll may not notice for a minute.
    addEventListener('offline', () => {
      this.#client.session.wake();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.hurry();
    });
  }

  /** Whether the server has told the state itself: until then it is what the last visit has kept. */
  get isConfirmed(): boolean {
    return this.#isConfirmed;
  }

  /** After signing in again. */
  resume(): void {
    this.#client.session.resume();
    this.#poll.tell('resume');
    this.hurry();
  }

  readonly hurry = (): void => {
    this.#client.wake();
    this.#poll.tell('wake');
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** @returns what ends it */
  onEvent(listener: (event: ServerEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => void this.#eventListeners.delete(listener);
  }

  /** Undefined until the first registration, or what was kept of an earlier one, and until drafts and messages on their way are loaded. */
  readonly state = (): ChatState | undefined =>
    this.#hasLoaded ? this.#shown(this.#client.store.get(), this.#typists.all) : undefined;

  /** All that the server has told, for views that show more of it than `state`. */
  readonly model = (): State | undefined => this.#client.store.get().state;

  /** All messages that this page has, in their order. */
  known(): readonly Message[] {
    return [...this.#client.store.get().windows.messages.values()] as unknown as Message[];
  }

  /** All messages of a narrow, where this page has them; undefined where it does not. */
  whole(terms: readonly Term[]): readonly Message[] | undefined {
    const { messages, foundOldest, foundNewest } = this.#windows.get(narrowKey(terms))?.state ?? {};
    return foundOldest === true && foundNewest === true ? messages : undefined;
  }

  /** The window of a narrow; one that is not loaded yet starts to. */
  window(terms: readonly Term[], near: number | undefined): MessageWindow {
    const key = narrowKey(terms);
    let found = this.#windows.get(key);
    const isKnown = found !== undefined;
    found ??= new MessageWindow(terms, this.#client, this.#changed, near);
    const isThere = near === undefined || found.state.messages.some(({ id }) => id === near);
    if (!isKnown || !isThere) void found.open(near ?? 'first_unread');
    this.#windows.delete(key);
    this.#windows.set(key, found);
    const [oldest] = this.#windows.values();
    if (this.#windows.size > WINDOWS_MAX && oldest !== undefined) {
      this.#windows.delete(oldest.key);
      this.#client.close(oldest.terms);
    }
    return found;
  }

  /** Messages of a conversation on their way. The same list until one changes. */
  outgoing(place: Place): readonly OutgoingMessage[] {
    const { outgoing } = this.#client.store.get();
    if (outgoing !== this.#outgoing) {
      this.#outgoing = outgoing;
      this.#byPlace.clear();
    }
    const key = placeKey(place);
    let known = this.#byPlace.get(key);
    if (known === undefined) {
      known = outgoing.filter(({ to }) => placeKey(placeOfDestination(to, this.meId)) === key).map(shownOutgoing);
      this.#byPlace.set(key, known);
    }
    return known;
  }

  send(place: Place, content: string): void {
    this.#client.send(destinationOf(place, this.meId), content);
  }

  /** @param at seconds since the epoch */
  async schedule(place: Place, content: string, at: number): Promise<void> {
    const where =
      place.kind === 'topic'
        ? { type: 'channel', to: place.channelId, topic: place.topic }
        : { type: 'direct', to: recipientsOf(place.userIds, this.meId) };
    await call('POST', '/scheduled_messages', { ...where, content, scheduled_delivery_timestamp: at });
  }

  /** Empty when there is none. */
  draftOf(place: Place): string {
    return this.#client.drafts?.get(destinationOf(place, this.meId))?.content ?? '';
  }

  /** @param content empty when it was sent, or taken back */
  keepDraft(place: Place, content: string): void {
    this.#client.drafts?.set(destinationOf(place, this.meId), content);
    // The composer has waited already, and the page may go.
    void this.#client.drafts?.flush();
  }

  /** @returns whether there was one, and none that it would replace */
  moveDraft(from: Place, to: Place): boolean {
    const content = this.draftOf(from);
    if (content === '' || this.draftOf(to) !== '') return false;
    this.keepDraft(to, content);
    this.keepDraft(from, '');
    return true;
  }

  /** Drafts of conversations: those of this browser and, when they are synchronized, of all clients. */
  readonly drafts = (): ReadonlyMap<string, Draft> => this.#client.store.get().drafts;

  retry(localId: string): void {
    this.#client.outbox.retry(localId);
  }

  /** @returns the content of what was discarded */
  discard(localId: string): string | undefined {
    const found = this.#client.store.get().outgoing.find((one) => one.localId === localId);
    this.#client.outbox.discard(localId);
    return found?.content;
  }

  /** @param ids messages whose end was in view */
  see(ids: readonly number[]): void {
    const { unread } = this.#client.store.get().state ?? {};
    const unseen = ids.filter((id) => unread?.keys.has(id) === true);
    this.#client.flags?.set('read', unseen, true);
  }

  markPlaceRead(place: Place): void {
    const { state } = this.#client.store.get();
    if (state !== undefined) this.#client.flags?.set('read', unreadIdsOf(state, place), true);
  }

  star({ id, flags }: Message): void {
    this.#client.flags?.set('starred', [id], !flags.includes('starred'));
  }

  async react(message: Message, reaction: Emoji): Promise<void> {
    const { emoji_name, emoji_code, reaction_type } = reaction;
    const isMine = message.reactions.some(
      (one) => one.user_id === this.meId && one.emoji_code === emoji_code && one.reaction_type === reaction_type,
    );
    const path = `/messages/${message.id}/reactions`;
    await call(isMine ? 'DELETE' : 'POST', path, { emoji_name, emoji_code, reaction_type }).catch((error: unknown) => {
      // A second click before the event has told of the first: it is so already.
      if (!(error instanceof ApiFailure && error.code.startsWith('REACTION_'))) throw error;
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
    this.attempt(this.#policies.run(() => call('POST', '/user_topics', params)));
  }

  /**
   * Renames a topic for all. What is refused stays as it was.
   * @param done called with the new place once it is there, and what was found before
   */
  renameTopic(place: TopicPlace, topic: string, done: (place: TopicPlace, moving: Moving) => void): void {
    const rename = async (): Promise<void> => {
      const to = { ...place, topic };
      const moving = await movingOf(this, place, to);
      if (moving.newestId === undefined) return;
      await call('PATCH', `/messages/${moving.newestId}`, { topic, propagate_mode: 'change_all' });
      done(to, moving);
    };
    this.attempt(rename());
  }

  /** Does something of which the reader is told only where it is refused. */
  attempt(act: Promise<unknown>): void {
    act.catch((error: unknown) => this.#tell(error));
  }

  subscribeTo(name: string): void {
    const subscriptions = [{ name }];
    this.attempt(call('POST', '/users/me/subscriptions', { subscriptions }));
  }

  unsubscribe(name: string): void {
    const subscriptions = [name];
    this.attempt(call('DELETE', '/users/me/subscriptions', { subscriptions }));
  }

  /** Changes settings of the reader. What is refused stays as it was. */
  set(settings: Partial<Settings>): void {
    this.attempt(call('PATCH', '/settings', settings));
  }

  /** Tells others that the reader is typing, at most every few seconds. */
  type(place: Place): void {
    if (Date.now() - this.#typingAtMs < TYPING_EVERY_MS) return;
    this.#typingAtMs = Date.now();
    if (place.kind === 'direct' && place.userIds.length === 0) return;
    const where =
      place.kind === 'topic'
        ? { type: 'channel', stream_id: place.channelId, topic: place.topic }
        : { type: 'direct', to: place.userIds };
    // Nobody misses it.
    call('POST', '/typing', { op: 'start', ...where }).catch(() => undefined);
  }

  /** Another session may be one of the same account: after another password, or signing in in another tab. */
  async #isOwnSession(): Promise<boolean> {
    const mark = sessionMark();
    if (mark === this.#mark) return true;
    const { user_id: userId } = await askSession().catch(() => ({ user_id: null }));
    // The answer is of the session that was asked, not of one that has begun since.
    if (userId !== this.meId || mark !== sessionMark()) return false;
    this.#mark = mark;
    return true;
  }

  #take(event: ServerEvent): void {
    for (const listener of this.#eventListeners) listener(event);
    if (event.type === 'typing') this.#typists.take(event);
    if (CHANNEL_LOST.test(`${event.type}/${event.op ?? ''}`)) this.#keepNow();
    if (event.type !== 'message') return;
    const message = { ...(event['message'] as Message), flags: event['flags'] as readonly string[] };
    const localId = event['local_message_id'];
    if (typeof localId === 'string') this.keys.set(message.id, localId);
    this.#typists.sent(placeOfMessage(message, this.meId), message.sender_id);
    this.handlers.arrived(message);
  }

  #update(): void {
    const [before, { status }] = [this.#before, this.#client.store.get()];
    const isLive = status.kind === 'live';
    // Until a new session is there, the status of the one before stays, and is not told again.
    if (status !== before && status.kind === 'signed-out') this.handlers.signedOut();
    if (status !== before && isLive) this.handlers.live();
    if (isLive && before.kind !== 'live') {
      this.#isConfirmed = true;
      reconnection.dispatchEvent(new Event('live'));
      void this.#isOwnSession();
    }
    this.#before = status;
    for (const window of this.#windows.values()) window.update();
    this.presences.update();
    this.#changed();
  }

  /** Tells the reader why something that they wanted was not done. */
  #tell(error: unknown): void {
    if (error instanceof ApiFailure && error.kind === 'signed-out') this.handlers.signedOut();
    else this.handlers.refused(reasonOf(error));
  }

  readonly #changed = (): void => {
    for (const listener of this.#listeners) listener();
  };
}

/** A conversation as the client library names it. */
function destinationOf(place: Place, meId: number): Destination {
  if (place.kind === 'topic') return { channelId: place.channelId, topic: place.topic };
  return { userIds: recipientsOf(place.userIds, meId) };
}

export function placeOfDestination(to: Outgoing['to'], meId: number): Place {
  if ('channelId' in to) return { kind: 'topic', ...to };
  return directWith(to.userIds, meId);
}

function shownOutgoing({ localId, content, begunAtMs, error, messageId }: Outgoing): OutgoingMessage {
  return { localId, content, timestamp: begunAtMs / 1000, failure: error, messageId };
}
