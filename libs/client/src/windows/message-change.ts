import type { Fields, Message, Reaction, ServerEvent } from '../wire/types.js';

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
    const time = event.rendering_only === true ? {} : { last_edit_timestamp: event.edit_timestamp };
    const me = event.is_me_message === undefined ? {} : { is_me_message: event.is_me_message };
    next = { ...next, ...time, ...me, content: event.rendered_content };
  }
  // What the wordings and places before were, the event does not say.
  if (event.rendering_only !== true && 'edit_history' in next) next = withoutHistory(next);
  if (event.message_id === message.id && event.content !== undefined) next = { ...next, flags: event.flags };
  if (next.type !== 'stream') return next;
  if (event.new_stream_id !== undefined) {
    const name = channelName(event.new_stream_id) ?? next.display_recipient;
    // What the server calls the recipient, the event does not say either.
    const { recipient_id: _, ...rest } = next;
    next = { ...rest, stream_id: event.new_stream_id, display_recipient: name };
  }
  if (event.subject !== undefined) next = { ...next, subject: event.subject, ...linksOf(event) };
  const isMoved = event.subject !== undefined || event.new_stream_id !== undefined;
  return isMoved ? { ...next, last_moved_timestamp: event.edit_timestamp } : next;
}

function linksOf({ topic_links: links }: Edit): Fields {
  return links === undefined ? {} : { topic_links: links };
}

function withoutHistory(message: Message): Message {
  const { edit_history: _, ...rest } = message;
  return rest;
}

function flagged(message: Message, { op, flag }: ServerEvent): Message {
  const has = message.flags.includes(flag as string);
  if (has === (op === 'add')) return message;
  const flags = has ? message.flags.filter((one) => one !== flag) : [...message.flags, flag as string];
  return { ...message, flags };
}

function reacted(message: Message, event: Reaction & { readonly op: string }): Message {
  const isIt = (one: Reaction): boolean =>
    one.user_id === event.user_id && one.emoji_code === event.emoji_code && one.reaction_type === event.reaction_type;
  const others = message.reactions.filter((one) => !isIt(one));
  if (event.op !== 'add')
    return others.length === message.reactions.length ? message : { ...message, reactions: others };
  if (others.length !== message.reactions.length) return message;
  const { emoji_name, emoji_code, reaction_type, user_id } = event;
  return { ...message, reactions: [...others, { emoji_name, emoji_code, reaction_type, user_id }] };
}
