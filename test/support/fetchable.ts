import type { ClientState } from '#testing';
import type { ApiClient } from './client.js';

/** A part of a client event that its receiver cannot fetch at delivery. */
export interface Unfetchable {
  readonly event: unknown;
  readonly part: string;
}

/**
 * Finds delivered events that reveal more than the receiver may see at that moment: messages and contents that no route
 * returns to them, places of messages that they may not read, and channels that are not in a new register response.
 */
export async function unfetchable(
  client: ApiClient,
  events: readonly any[],
  fresh: ClientState,
): Promise<readonly Unfetchable[]> {
  const found: Unfetchable[] = [];
  const seen = new Seen(client, fresh);
  for (const [index, event] of events.entries()) {
    const gone = new Set<number>(events.slice(index + 1).flatMap((later) => deletedIn(later)));
    for (const channelId of channelsIn(event)) {
      if (!(await seen.knows(channelId))) found.push({ event, part: `channel ${channelId}` });
    }
    for (const channelId of placesIn(event, gone)) {
      if (!(await seen.reads(channelId))) found.push({ event, part: `place in channel ${channelId}` });
    }
    for (const id of messagesIn(event)) {
      // Changes of a message before access to it was lost are delivered, followed by its removal.
      if (!(event.type === 'update_message' && gone.has(id)) && (await seen.wordings(id)) === undefined)
        found.push({ event, part: `message ${id}` });
    }
    for (const [id, html] of wordingsIn(event)) {
      if ((await seen.wordings(id))?.has(html) !== true) found.push({ event, part: `wording of message ${id}` });
    }
  }
  return found;
}

class Seen {
  readonly #wordings = new Map<number, ReadonlySet<string> | undefined>();
  readonly #channels: ReadonlySet<number>;
  readonly #readable = new Map<number, boolean>();

  constructor(
    private readonly client: ApiClient,
    fresh: ClientState,
  ) {
    const lists = [fresh.streams, fresh.subscriptions, fresh.unsubscribed, fresh.never_subscribed];
    this.#channels = new Set(lists.flatMap((list = []) => list.map(({ stream_id }) => stream_id)));
  }

  /** Clients without `archived_channels` list no archived channel, and are told what became of it before. */
  async knows(channelId: number): Promise<boolean> {
    if (this.#channels.has(channelId)) return true;
    const { status, body } = await this.client.call('GET', `/streams/${channelId}`);
    return status === 200 && body.stream.is_archived === true;
  }

  async reads(channelId: number): Promise<boolean> {
    const known = this.#readable.get(channelId);
    if (known !== undefined) return known;
    const { status } = await this.client.call('GET', `/users/me/${channelId}/topics`);
    this.#readable.set(channelId, status === 200);
    return status === 200;
  }

  /** Current and earlier contents of the message that the receiver may know; undefined without access. */
  async wordings(id: number): Promise<ReadonlySet<string> | undefined> {
    if (!this.#wordings.has(id)) this.#wordings.set(id, await this.#fetch(id));
    return this.#wordings.get(id);
  }

  async #fetch(id: number): Promise<ReadonlySet<string> | undefined> {
    const { status, body } = await this.client.call('GET', `/messages/${id}/history`);
    if (status !== 200) return undefined;
    // As Markdown, and as HTML.
    const forms = ['content', 'rendered_content', 'prev_content', 'prev_rendered_content'];
    return new Set(body.message_history.flatMap((entry: any) => forms.map((form) => entry[form])));
  }
}

function deletedIn({ type, message_id, message_ids }: any): number[] {
  return type === 'delete_message' ? (message_ids ?? [message_id]) : [];
}

/** Messages about which the receiver learns something other than their removal or their own flags. */
function messagesIn(event: any): number[] {
  switch (event.type) {
    case 'message':
      return [event.message.id];
    case 'update_message':
      return event.message_ids;
    case 'reaction':
    case 'submessage':
      return [event.message_id];
    case 'update_message_flags':
      return Object.keys(event.message_details ?? {}).map(Number);
    default:
      return [];
  }
}

/** Channels about which the receiver learns something other than their removal. */
function channelsIn(event: any): number[] {
  switch (`${event.type}/${event.op ?? ''}`) {
    case 'message/':
      return event.message.type === 'stream' ? [event.message.stream_id] : [];
    case 'update_message/':
      return [event.stream_id, event.new_stream_id].filter((id) => id !== undefined);
    case 'delete_message/':
      return event.message_type === 'stream' ? [event.stream_id] : [];
    case 'stream/create':
      return event.streams.map(({ stream_id }: any) => stream_id);
    case 'stream/update':
      return [event.stream_id];
    case 'subscription/add':
      return event.subscriptions.map(({ stream_id }: any) => stream_id);
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
      return event.stream_ids;
    default:
      return [];
  }
}

/** Channels in which the receiver learns that messages are or were, unless they are removed later. */
function placesIn(event: any, gone: ReadonlySet<number>): number[] {
  switch (event.type) {
    case 'message':
      return event.message.type === 'stream' ? [event.message.stream_id] : [];
    case 'update_message':
      if (event.message_ids.every((id: number) => gone.has(id))) return [];
      return [event.stream_id, event.new_stream_id].filter((id) => id !== undefined);
    default:
      return [];
  }
}

function wordingsIn(event: any): [number, string][] {
  if (event.type === 'message') return [[event.message.id, event.message.content]];
  if (event.type !== 'update_message' || event.content === undefined) return [];
  return [
    [event.message_id, event.rendered_content],
    [event.message_id, event.orig_rendered_content],
  ];
}
