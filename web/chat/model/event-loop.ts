/** Registers a queue, polls it, and starts again when it is gone or the server was away. */
import { ApiFailure, call, type Params } from '../../shared/api.js';
import type { Connection } from './chat-state.js';

export interface ClientEvent {
  readonly id: number;
  readonly type: string;
  readonly op?: string;
  readonly [field: string]: unknown;
}

/** A message ends a poll: without a pause each would be a request. */
const POLL_PAUSE_MS = 150;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MOST_MS = 30_000;
/** Longer than the server holds a poll. */
const POLL_WITHIN_MS = 100_000;

export const CLIENT_CAPABILITIES = {
  bulk_message_deletion: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  empty_topic_name: true,
  notification_settings_null: true,
  user_avatar_url_field_optional: false,
  archived_channels: false,
};

/** What is fetched at the start. Events come of everything that is fetched, and of messages. */
const FETCHED = [
  ...['message', 'update_message_flags', 'recent_private_conversations', 'realm', 'realm_user', 'realm_emoji'],
  ...['subscription', 'stream', 'user_settings', 'user_topic', 'muted_users', 'channel_folders', 'user_group'],
];
const LIVE = [...FETCHED, 'update_message', 'delete_message', 'reaction', 'typing', 'restart'];

export interface LoopHandlers {
  /** Called with the state after each registration. */
  registered(state: Params, isAgain: boolean): void;
  events(events: readonly ClientEvent[]): void;
  connection(connection: Connection): void;
  signedOut(): void;
}

export class EventLoop {
  #queueId = '';
  #lastEventId = -1;
  #wake: (() => void) | undefined;
  #isStopped = false;
  #poll = new AbortController();

  constructor(private readonly handlers: LoopHandlers) {
    addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.hurry();
    });
  }

  /** Ends a pause between attempts. */
  readonly hurry = (): void => this.#wake?.();

  /** Ends the loop, and whatever is on its way. */
  stop(): void {
    this.#isStopped = true;
    this.#poll.abort();
    this.hurry();
  }

  async run(): Promise<void> {
    let [failures, isAgain] = [0, false];
    while (!this.#isStopped) {
      try {
        if (this.#queueId === '') {
          await this.#register(isAgain);
          isAgain = true;
        }
        this.handlers.connection({ kind: 'live' });
        await this.#pollOnce();
        failures = 0;
        await pause(POLL_PAUSE_MS);
      } catch (error) {
        if (error instanceof ApiFailure && error.kind === 'signed-out') {
          this.handlers.signedOut();
          return;
        }
        if (error instanceof ApiFailure && error.code === 'BAD_EVENT_QUEUE_ID') {
          this.#queueId = '';
          continue;
        }
        await this.#backOff(failures++, error);
      }
    }
  }

  async #register(isAgain: boolean): Promise<void> {
    const state = await call('POST', '/register', {
      event_types: LIVE,
      fetch_event_types: FETCHED,
      client_capabilities: CLIENT_CAPABILITIES,
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
    });
    this.#queueId = String(state['queue_id']);
    this.#lastEventId = Number(state['last_event_id']);
    this.handlers.registered(state, isAgain);
  }

  async #pollOnce(): Promise<void> {
    const options = { withinMs: POLL_WITHIN_MS, signal: this.#poll.signal };
    const params = { queue_id: this.#queueId, last_event_id: this.#lastEventId };
    const { events } = await call<{ readonly events: readonly ClientEvent[] }>('GET', '/events', params, options);
    const fresh = events.filter(({ id }) => id > this.#lastEventId);
    this.#lastEventId = Math.max(this.#lastEventId, ...fresh.map(({ id }) => id));
    this.handlers.events(fresh.filter(({ type }) => type !== 'heartbeat'));
  }

  async #backOff(failures: number, error: unknown): Promise<void> {
    const asked = error instanceof ApiFailure ? (error.retryAfterMs ?? 0) : 0;
    const most = Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** failures);
    const waitMs = Math.max(asked, most / 2 + (Math.random() * most) / 2);
    this.handlers.connection({ kind: 'offline', untilMs: Date.now() + waitMs });
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
