import { openEventStore, streams } from '#event-store';
import { scrollback } from '#runtime';
import type { ApiClient, TestQueue } from './client.js';

/** A message as the log holds it, as clients fetch it, and as queues tell it. */
export interface SentMessage {
  readonly id: number;
  readonly content: string;
}

/** All that was ever sent, in the order of the log, whose address is given. */
export async function sentInLog(address: string): Promise<SentMessage[]> {
  const store = await openEventStore(address, scrollback.registry);
  const found: SentMessage[] = [];
  for await (const page of store.readAll({ streamPrefixes: [streams.messages] })) {
    for (const { revision, data } of page) found.push({ id: revision + 1, content: data.content });
  }
  await store.close();
  return found;
}

/** All messages of a channel, oldest first, in pages. */
export async function fetchSent(client: ApiClient, channel = 'general'): Promise<SentMessage[]> {
  const narrow = [{ operator: 'channel', operand: channel }];
  const found: SentMessage[] = [];
  for (let anchor = 0; ;) {
    const page = { narrow, anchor, num_before: 0, num_after: 1000, include_anchor: false, apply_markdown: false };
    const { messages, found_newest } = await client.ok('GET', '/messages', page);
    found.push(...messages.map(({ id, content }: SentMessage) => ({ id, content })));
    if (found_newest) return found;
    anchor = found.at(-1)?.id ?? 0;
  }
}

/** What a queue has been told, until there is no more at the moment. */
export async function drain(queue: TestQueue, heard: SentMessage[]): Promise<void> {
  for (;;) {
    const events = await queue.pending();
    if (events.length === 0) return;
    hear(events, heard);
  }
}

export function hear(events: readonly any[], heard: SentMessage[]): void {
  for (const { message } of events) heard.push({ id: message.id, content: message.content });
}
