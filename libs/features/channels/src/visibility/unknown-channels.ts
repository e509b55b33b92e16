import type { WireChannelEvent } from '../channel-entries.js';

/**
 * The events of one answer, in order, without what they tell of channels that the client did not know at that time: a
 * channel that appears was unknown before, from where it vanished, or from the beginning.
 */
export function withoutUnknown(events: readonly WireChannelEvent[]): (WireChannelEvent | undefined)[] {
  const unknown = new Set<number>();
  const kept: (WireChannelEvent | undefined)[] = [];
  for (const event of events.toReversed()) kept.push(known(event, unknown));
  return kept.reverse();
}

/** The event as far as it is about known channels. @param unknown of the channels, those not known at that time */
function known(event: WireChannelEvent, unknown: Set<number>): WireChannelEvent | undefined {
  if (event.type === 'default_streams') return event;
  if (event.type === 'stream' && event.op === 'create') {
    for (const { stream_id } of event.streams) unknown.add(stream_id);
    return event;
  }
  if (unknown.size === 0) return event;
  switch (event.op) {
    case 'delete':
      for (const channelId of event.stream_ids) unknown.delete(channelId);
      return event;
    case 'update':
      return event.type === 'stream' && unknown.has(event.stream_id) ? undefined : event;
    case 'peer_add':
    case 'peer_remove': {
      const stream_ids = event.stream_ids.filter((channelId) => !unknown.has(channelId));
      if (stream_ids.length === event.stream_ids.length) return event;
      return stream_ids.length === 0 ? undefined : { ...event, stream_ids };
    }
    case 'add':
    case 'remove':
      return event;
  }
}
