import {
  Client,
  FetchTransport,
  FlagBatch,
  narrowKey,
  type NarrowTerm,
  type Outcome,
  type Registered,
  registeredOf,
  SYSTEM,
  type Transport,
} from '#client';

/** Pauses of the client are long beside a story. */
const HURRY = 50;
const SHARE_LOST = 0.05;

type Narrow = readonly NarrowTerm[];
type Eventually<T> = T | Promise<T>;

/** A stretch of a window: all messages of the narrow from one ID to another. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly ids: readonly number[];
  readonly messages: readonly ({ readonly flags: readonly string[] } | undefined)[];
}

export interface Shown {
  readonly state: Registered | undefined;
  /** In the order of the narrows. */
  readonly windows: readonly (readonly Stretch[])[];
  /** What a developer should know. */
  readonly reports: readonly string[];
}

/** A client in a story, in this process or in a browser. */
export interface Followed {
  /** Starts the client, and opens these. */
  start(narrows: readonly Narrow[]): Eventually<void>;
  send(channelId: number, topic: string, content: string): Eventually<void>;
  setFlag(flag: 'read' | 'starred', ids: readonly number[]): Eventually<void>;
  queueId(): Eventually<string | undefined>;
  /** Whether it has sent everything. */
  isIdle(): Eventually<boolean>;
  /** Whether it is live, and has this message. */
  hasReached(messageId: number): Eventually<boolean>;
  /** Resolves when its windows and flags are as it wants them. */
  settled(): Promise<void>;
  shown(narrows: readonly Narrow[]): Eventually<Shown>;
  stop(): Promise<void>;
}

export interface Reader {
  readonly email: string;
  readonly apiKey: string;
}

/** Carries calls, and loses some on their way to the server, and some answers on their way back. */
class Lossy implements Transport {
  constructor(private readonly inner: Transport) {}

  async send(...call: Parameters<Transport['send']>): Promise<Outcome> {
    if (Math.random() < SHARE_LOST) return LOST;
    const outcome = await this.inner.send(...call);
    return Math.random() < SHARE_LOST ? LOST : outcome;
  }
}

const LOST: Outcome = { kind: 'lost', reason: 'as the story wants' };

/** A client over a connection that loses calls. Runs in browsers as well. */
export function follow(site: string, { email, apiKey }: Reader): Followed {
  const reports: string[] = [];
  const client = new Client({
    transport: new Lossy(new FetchTransport({ site, credentials: { email, apiKey } })),
    flags: FlagBatch,
    betweenPollsMs: 0,
    surroundings: { ...SYSTEM, sleep: (ms, signal) => SYSTEM.sleep(ms / HURRY, signal) },
    onReport: (text) => reports.push(text),
  });
  return {
    async start(narrows) {
      await client.start();
      await Promise.all(narrows.map((narrow) => client.open(narrow, { anchor: 'newest', before: 8, after: 8 })));
    },
    send(channelId, topic, content) {
      client.send({ channelId, topic }, content);
    },
    setFlag(flag, ids) {
      client.flags?.set(flag, ids, true);
    },
    queueId: () => client.session.queueId,
    isIdle: () => client.store.get().outgoing.length === 0,
    hasReached(messageId) {
      const { state, outgoing, status } = client.store.get();
      return status.kind === 'live' && (state?.maxMessageId ?? 0) >= messageId && outgoing.length === 0;
    },
    settled: () => client.settled(),
    shown(narrows) {
      const { windows, state } = client.store.get();
      const stretches = narrows.map((narrow) =>
        (windows.windows[narrowKey(narrow)]?.runs ?? []).map((run) => ({
          ...run,
          messages: run.ids.map((id) => windows.messages.get(id)),
        })),
      );
      return { state: state && registeredOf(state), windows: stretches, reports };
    },
    stop: () => client.stop(),
  };
}
