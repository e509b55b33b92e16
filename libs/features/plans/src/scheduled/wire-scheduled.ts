import { type EventSchemas, exact, integer, list, named, object, oneOf, text, truth, type Wire } from '#wire';
import type { ScheduledMessage } from './scheduled.events.js';

const SCHEDULED = {
  scheduled_message_id: integer,
  content: text,
  rendered_content: text,
  scheduled_delivery_timestamp: integer,
  failed: truth,
};

/** A scheduled message as clients see it (endpoints.md §6). */
export const ScheduledSchema = named(
  'ScheduledMessage',
  oneOf(
    object({ ...SCHEDULED, type: exact('stream'), to: integer, topic: text }),
    object({ ...SCHEDULED, type: exact('private'), to: list(integer) }),
  ),
);
export type WireScheduled = Wire<typeof ScheduledSchema>;

export const scheduledEventSchemas = {
  'scheduled_messages/add': { scheduled_messages: list(ScheduledSchema) },
  'scheduled_messages/update': { scheduled_message: ScheduledSchema },
  'scheduled_messages/remove': { scheduled_message_id: integer },
} satisfies EventSchemas;

export const scheduledFieldSchemas = { scheduled_messages: list(ScheduledSchema) };

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
