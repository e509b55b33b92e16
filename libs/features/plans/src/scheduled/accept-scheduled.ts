import { htmlOf, type MessageSent, placeOf } from '#messages';
import type { ScheduledMessage } from './scheduled.events.js';

/** What a scheduled message keeps of the message that would be sent now. */
export function acceptScheduled({ data }: MessageSent): Pick<ScheduledMessage, 'place' | 'content' | 'rendered'> {
  const place = placeOf(data);
  return {
    place: 'to' in place ? { kind: 'direct', userIds: place.to } : { kind: 'channel', ...place },
    content: data.content,
    rendered: htmlOf(data),
  };
}
