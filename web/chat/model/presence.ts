/** Who is there: tells the server that the reader is, and learns of others by the answers, by events and by the registration. */
import type { State } from '#client';
import { call } from '../../shared/api.js';

interface Times {
  /** Seconds since the epoch, by the server's clock: last used, and last connected. */
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}

export interface Presence {
  readonly kind: 'active' | 'idle' | 'offline';
  /** When the person was last active, in seconds since the epoch by the server's clock. */
  readonly lastAt: number;
}

interface Answer {
  readonly presences?: Readonly<Record<string, Times>>;
  readonly server_timestamp?: number;
  readonly presence_last_update_id?: number;
}

/** Without input for so long, somebody is connected and not there. */
const IDLE_AFTER_MS = 5 * 60_000;
const [PING_SECONDS, OFFLINE_SECONDS] = [60, 140];

export class Presences {
  #told: unknown;
  #times = new Map<number, Times>();
  #shown: ReadonlyMap<number, Presence> = new Map();
  #lastUpdateId = -1;
  /** The server's clock, less that of this machine. */
  #offsetSeconds = 0;
  #inputAtMs = Date.now();
  #hasNewInput = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly model: () => State | undefined,
    private readonly changed: () => void,
  ) {}

  start(): void {
    const input = (): void => {
      this.#inputAtMs = Date.now();
      this.#hasNewInput = true;
    };
    for (const kind of ['keydown', 'pointerdown', 'pointermove', 'focus'])
      addEventListener(kind, input, { passive: true });
  }

  /** The same until it changes. */
  readonly all = (): ReadonlyMap<number, Presence> => this.#shown;

  /** To be called when the model has changed. */
  update(): void {
    const fields = this.model()?.fields;
    if (fields === undefined || fields.presences === this.#told) return;
    const isFirst = this.#told === undefined;
    this.#told = fields.presences;
    if (isFirst) {
      this.#offsetSeconds = (fields.server_timestamp ?? Date.now() / 1000) - Date.now() / 1000;
      this.#lastUpdateId = fields.presence_last_update_id ?? -1;
    }
    this.#take(this.#told as Answer['presences']);
    if (isFirst) void this.#ping();
  }

  async #ping(): Promise<void> {
    clearTimeout(this.#timer);
    const fields = this.model()?.fields ?? {};
    if (fields.realm_presence_disabled !== true) {
      const isThere = document.hasFocus() && Date.now() - this.#inputAtMs < IDLE_AFTER_MS;
      const hasNewInput = this.#hasNewInput;
      this.#hasNewInput = false;
      const params = { slim_presence: true, last_update_id: this.#lastUpdateId, new_user_input: hasNewInput };
      try {
        const answer = await call<Answer>('POST', '/users/me/presence', {
          status: isThere ? 'active' : 'idle',
          ...params,
        });
        this.#offsetSeconds = (answer.server_timestamp ?? 0) - Date.now() / 1000;
        this.#lastUpdateId = answer.presence_last_update_id ?? this.#lastUpdateId;
        this.#take(answer.presences);
      } catch {
        // What is known grows old until the next answer, which is what it should.
        this.#take({});
      }
    }
    const seconds = fields.server_presence_ping_interval_seconds ?? PING_SECONDS;
    this.#timer = setTimeout(() => void this.#ping(), seconds * 1000);
  }

  #take(presences: Answer['presences'] = {}): void {
    for (const [id, times] of Object.entries(presences)) {
      const before = this.#times.get(Number(id));
      this.#times.set(Number(id), {
        active_timestamp: Math.max(times.active_timestamp, before?.active_timestamp ?? 0),
        idle_timestamp: Math.max(times.idle_timestamp, before?.idle_timestamp ?? 0),
      });
    }
    const next = new Map([...this.#times].map(([id, times]) => [id, this.#presenceOf(times)]));
    const isSame =
      next.size === this.#shown.size &&
      [...next].every(([id, { kind, lastAt }]) => {
        const before = this.#shown.get(id);
        return before?.kind === kind && before.lastAt === lastAt;
      });
    if (isSame) return;
    this.#shown = next;
    this.changed();
  }

  #presenceOf({ active_timestamp: activeAt, idle_timestamp: idleAt }: Times): Presence {
    const now = Date.now() / 1000 + this.#offsetSeconds;
    const threshold = this.model()?.fields.server_presence_offline_threshold_seconds ?? OFFLINE_SECONDS;
    const kind =
      now - activeAt <= threshold ? 'active' : now - Math.max(activeAt, idleAt) <= threshold ? 'idle' : 'offline';
    return { kind, lastAt: activeAt > 0 ? activeAt : idleAt };
  }
}
