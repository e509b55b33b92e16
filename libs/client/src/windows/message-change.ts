import { lacking } from '../core/ordered.js';
import type { ChannelMessage, Fields, Message, Reaction, ServerEvent } from '../wire/types.js';

export const RESOLVED = '✔ ';
/** Characters. */
const TOPIC_LENGTH_MAX = 60;

interface Edit {
  readonly message_id: number;
  readonly message_ids: readonly number[];
  readonly edit_timestamp: number;
  readonly rendering_only?: boolean;
  readonly content?: string;
  readonly rendered_content?: string;
  readonly is_me_message?: boolean;
  readonly subject?: string;
  readonly topic_links?: readonly Fields[];
  readonly new_stream_id?: number;
  readonly flags: readonly string[];
}

/** A message after an event that changes it alone; the same object when it does not. */
export function changedMessage(
  message: Message,
  event: ServerEvent,
  channelName: (id: number) => string | undefined,
): Message {
  switch (event.type) {
    case 'update_message':
      return edited(message, event as ServerEvent & Fields as ServerEvent & Edit, channelName);
    case 'update_message_flags':
      return flagged(message, event);
    case 'reaction':
      return reacted(message, event as unknown as Reaction & { readonly op: string });
    case 'submessage': {
      const { submessage_id: id, message_id, sender_id, msg_type, content } = event;
      const known = message.submessages ?? [];
      if (known.some((one) => one['id'] === id)) return message;
      return { ...message, submessages: [...known, { id, message_id, sender_id, msg_type, content }] };
    }
    default:
      return message;
  }
}

function edited(message: Message, event: Edit, channelName: (id: number) => string | undefined): Message {
  let next: Message = message;
  if (event.message_id === message.id && event.rendered_content !== undefined) {
    const { is_me_message, rendered_content: content } = event;
    next = { ...next, ...(is_me_message !== undefined && { is_me_message }), content };
    if (event.rendering_only !== true) next = { ...next, last_edit_timestamp: event.edit_timestamp };
  }
  if (event.message_id === message.id && event.content !== undefined) next = { ...next, flags: event.flags };
  if (next.type === 'stream') next = moved(next, event, channelName);
  // What the wordings and places before were, the event does not say.
  return next === message || event.rendering_only === true ? next : lacking(next, 'edit_history');
}

function moved(message: ChannelMessage, event: Edit, channelName: (id: number) => string | undefined): ChannelMessage {
  const { new_stream_id: channelId = message.stream_id, subject = message.subject } = event;
  // One that has the spelling of the new topic already did not move.
  if (channelId === message.stream_id && subject === message.subject) return message;
  let next: ChannelMessage = { ...message, subject, ...(event.topic_links && { topic_links: event.topic_links }) };
  if (channelId !== message.stream_id) {
    const name = channelName(channelId) ?? message.display_recipient;
    // What the server calls the recipient, the event does not say either.
    next = { ...lacking(next, 'recipient_id'), stream_id: channelId, display_recipient: name };
  } else if (isResolution(message.subject, subject)) return next;
  return { ...next, last_moved_timestamp: event.edit_timestamp };
}

/** Whether the change only marks the topic as resolved or unresolved: no move for `last_moved_timestamp`. */
function isResolution(from: string, to: string): boolean {
  if (from.startsWith(RESOLVED)) return to === from.replace(/^✔ [ ✔]*/, '');
  const marked = RESOLVED + from;
  // The server cuts a topic that becomes too long.
  const isCut = to.endsWith('...') && [...to].length === TOPIC_LENGTH_MAX && marked.startsWith(to.slice(0, -3));
  return from !== '' && (to === marked || isCut);
}

function flagged(message: Message, { op, flag }: ServerEvent): Message {
  const has = message.flags.includes(flag as string);
  if (has === (op === 'add')) return message;
  const flags = has ? message.flags.filter((one) => one !== flag) : [...message.flags, flag as string];
  return { ...message, flags };
}

function reacted(message: Message, { op, ...event }: Reaction & { readonly op: string }): Message {
  const { emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  );
  const has = others.length < message.reactions.length;
  if (has === (op === 'add')) return message;
  return { ...message, reactions: has ? others : [...others, { emoji_name, emoji_code, reaction_type, user_id }] };
}
