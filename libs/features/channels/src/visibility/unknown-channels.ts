import type { ClientEvent } from '#feed';

/**
 * The events of one answer, in order, without what they tell of channels that the client did not know at that time: a
 * channel that appears was unknown before, from where it vanished, or from the beginning.
 */
export function withoutUnknown(events: readonly ClientEvent[]): (ClientEvent | undefined)[] {
  const unknown = new Set<number>();
  const kept: (ClientEvent | undefined)[] = [];
  for (const event of events.toReversed()) kept.push(known(event, unknown));
  return kept.reverse();
}

/** The event as far as it is about known channels. @param unknown of the channels, those not known at that time */
function known(event: ClientEvent, unknown: Set<number>): ClientEvent | undefined {
  const { type, op } = event;
  if (type === 'stream' && op === 'create') {
    for (const { stream_id } of event['streams'] as { stream_id: number }[]) unknown.add(stream_id);
    return event;
  }
  if (unknown.size === 0) return event;
  if (type === 'stream' && op === 'delete') {
    for (const channelId of event['stream_ids'] as number[]) unknown.delete(channelId);
    return event;
  }
  if (type === 'stream' && op === 'update') return unknown.has(Number(event['stream_id'])) ? undefined : event;
  if (op !== 'peer_add' && op !== 'peer_remove') return event;
  const channelIds = event['stream_ids'] as number[];
  const stream_ids = channelIds.filter((channelId) => !unknown.has(channelId));
  if (stream_ids.length === channelIds.length) return event;
  return stream_ids.length === 0 ? undefined : { ...event, stream_ids };
}
