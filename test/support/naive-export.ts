import type { RawEvent } from './audit-replay/raw-log.js';

/** What an export has to have, by a reader of the whole log that keeps no index. */
export interface NaiveQuestion {
  readonly channelId?: number;
  readonly userId?: number;
  readonly after?: number;
  readonly before?: number;
  readonly words?: readonly string[];
}

/** A line of an export in short: message, what happened, and the event's place. */
export type ShortLine = readonly [message: number, type: string, place: string, content?: string];

const within = (ids: readonly (readonly [number, number])[] | undefined, id: number): boolean =>
  (ids ?? []).some(([first, last]) => id >= first && id <= last);

const TYPES: Readonly<Record<string, string>> = {
  'message.edited.v1': 'edited',
  'message.deleted.v1': 'deleted',
  'messages.deleted.v1': 'deleted',
  'messages.expired.v1': 'deleted',
  'messages.moved.v1': 'moved',
  'reaction.added.v1': 'reacted',
  'reaction.removed.v1': 'unreacted',
  'submessage.added.v1': 'submessage',
};

export function naiveExport(
  log: readonly RawEvent[],
  { channelId, userId, after, before, words = [] }: NaiveQuestion,
): readonly ShortLine[] {
  const found: ShortLine[] = [];
  for (const { stream, revision, data: sent } of log) {
    if (stream !== '1.messages') continue;
    const id = revision + 1;
    if (userId !== undefined && sent.senderId !== userId) continue;
    if (sent.at < (after ?? 0) || sent.at >= (before ?? Infinity)) continue;
    const lines: ShortLine[] = [[id, 'sent', `${stream}@${revision}`, sent.content]];
    const [channels, wordings] = [[sent.channelId], [sent.content]];
    for (const { type, data, ...event } of log) {
      if (TYPES[type] === undefined || !(data.messageId === id || within(data.ids, id))) continue;
      const place = `${event.stream}@${event.revision}`;
      const edit = type === 'message.edited.v1' ? data : data.targetId === id ? data.edit : undefined;
      if (type !== 'message.edited.v1') lines.push([id, TYPES[type] ?? '', place]);
      if (type === 'messages.moved.v1') channels.push(data.to.channelId);
      if (edit === undefined) continue;
      lines.push([id, 'edited', place, edit.content]);
      wordings.push(edit.content);
    }
    const hasWords = (text: string): boolean =>
      words.every((word) =>
        text
          .toLowerCase()
          .split(/[^a-z0-9]+/)
          .includes(word),
      );
    const isThere = channelId === undefined || channels.includes(channelId);
    if (isThere && wordings.some(hasWords)) found.push(...lines);
  }
  return found;
}

/** Places of all events of messages. */
export function placesOfMessages(log: readonly RawEvent[]): readonly string[] {
  return log
    .filter(({ stream }) => /^1\.message(?:s|-\d+)$/.test(stream))
    .map(({ stream, revision }) => `${stream}@${revision}`);
}
