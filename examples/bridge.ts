import { Client, type Event, FetchTransport } from '#client';
import type { Account } from './bot-and-reader.js';

/** One side of a bridge: an account at a server, and a channel to which it is subscribed. */
export interface Side extends Account {
  readonly channelId: number;
}

/**
 * Carries what is said in a channel of each of two servers to the other one, topic by topic, in order, and each message once while it
 * runs: what the bridge itself has said is not carried back. Returns what ends it.
 */
export async function bridge(one: Side, other: Side): Promise<() => Promise<void>> {
  const here: Client = side(one, (message) =>
    there.send({ channelId: other.channelId, topic: message.subject }, quoted(message)),
  );
  const there: Client = side(other, (message) =>
    here.send({ channelId: one.channelId, topic: message.subject }, quoted(message)),
  );
  await Promise.all([here.start(), there.start()]);
  return async () => {
    await Promise.all([here.stop(), there.stop()]);
  };
}

type Said = Extract<Extract<Event, { type: 'message' }>['message'], { type: 'stream' }>;

function side({ site, channelId, ...credentials }: Side, carry: (message: Said) => unknown): Client {
  return new Client({
    transport: new FetchTransport({ site, credentials }),
    // The source, since the other server renders for itself.
    register: { apply_markdown: false, event_types: ['message'] },
    onEvent: (event, { self }) => {
      if (event.type !== 'message') return;
      const { message } = event;
      if (message.type === 'stream' && message.stream_id === channelId && message.sender_id !== self) carry(message);
    },
  });
}

function quoted({ sender_full_name: name, content }: Said): string {
  return `**${name}**: ${content}`;
}
