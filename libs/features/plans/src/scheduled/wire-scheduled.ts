import type { ScheduledMessage } from './scheduled.events.js';

/** A scheduled message as clients see it (endpoints.md §6). */
export type WireScheduled = {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  readonly to: number | readonly number[];
  readonly topic?: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
};

export function wireScheduled(userId: number, message: ScheduledMessage, failed: boolean): WireScheduled {
  const { scheduledId, place, content, rendered, deliverAt } = message;
  const others = place.kind === 'direct' ? place.userIds.filter((id) => id !== userId) : [];
  return {
    scheduled_message_id: scheduledId,
    ...(place.kind === 'channel'
      ? { type: 'stream', to: place.channelId, topic: place.topic }
      : { type: 'private', to: others.length === 0 ? [userId] : others }),
    content,
    rendered_content: rendered,
    scheduled_delivery_timestamp: deliverAt,
    failed,
  };
}
