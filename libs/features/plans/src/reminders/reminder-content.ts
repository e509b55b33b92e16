import { channelLinkPath, directLinkPath, fenceAround, silentMention } from '#markdown';
import { MESSAGE_LENGTH_MAX } from '#messages';
import type { ReadableMessage } from '#reading';
import type { Directory } from '#people';

const TRUNCATED = '\n[message truncated]';

/** What lists of reminders show. */
export function reminderContent(directory: Directory, target: ReadableMessage, note: string): string {
  return `You requested a reminder for [this message](${pathOf(directory, target)}).${noteOf(note)}`;
}

/**
 * The notification bot's message, which quotes the message as it is when the reminder is due (endpoints.md §6).
 * @param target undefined when it is gone, or the user may not read it any more
 */
export function reminderNotice(directory: Directory, target: ReadableMessage | undefined, note: string): string {
  if (target === undefined)
    return `You requested a reminder for a message that was deleted, or that you may not read any more.${noteOf(note)}`;
  const sender = directory.user(target.senderId);
  const by = sender === undefined ? 'Somebody' : silentMention(sender);
  const begin = `${reminderContent(directory, target, note)}\n\n${by} [said](${pathOf(directory, target)}):\n`;
  return begin + quoted(target.content, MESSAGE_LENGTH_MAX - [...begin].length);
}

function pathOf(directory: Directory, { messageId, place, topic }: ReadableMessage): string {
  if ('participants' in place) return directLinkPath(place.participants, messageId);
  const { channelId: id } = place;
  const name = directory.channel(id)?.name ?? '';
  return channelLinkPath({ id, name }, { topic, nearMessageId: messageId });
}

function noteOf(note: string): string {
  return note === '' ? '' : ` Note:\n\n${note.replaceAll(/^/gm, '> ')}`;
}

/** @param room code points for the quote with its fence */
function quoted(content: string, room: number): string {
  const fence = fenceAround(content);
  const characters = [...content];
  const most = room - 2 * fence.length - 'quote\n\n'.length;
  const text =
    characters.length <= most
      ? content
      : characters.slice(0, Math.max(0, most - TRUNCATED.length)).join('') + TRUNCATED;
  return `${fence}quote\n${text}\n${fence}`;
}
