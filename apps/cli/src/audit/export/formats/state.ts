import type { MessageLine, RowPlace, Story } from '../export-row.js';

/** What has become of a message. */
export interface State {
  readonly id: number;
  readonly senderId: number;
  /** Seconds since the epoch. */
  readonly sentAt: number;
  /** Of the last version. */
  readonly content: string;
  /** Where it was last. */
  readonly place: RowPlace;
  readonly versions: readonly MessageLine[];
  readonly deleted: MessageLine | undefined;
  /** By emoji, who reacts at the end; in the order of the log. */
  readonly reactions: ReadonlyMap<string, readonly number[]>;
  /** Files of all versions, ascending. */
  readonly fileIds: readonly number[];
}

export function stateOf({ id, lines }: Story): State {
  const [sent] = lines;
  if (sent?.type !== 'sent') throw new Error(`The lines about the message ${id} do not begin with its send.`);
  const versions = lines.filter(({ content, type }) => content !== undefined && type !== 'submessage');
  const files = lines.flatMap(({ files: named = [] }) => named.map(({ file_id: fileId }) => fileId));
  return {
    id,
    senderId: sent.sender?.user_id ?? 0,
    sentAt: sent.at,
    content: versions.at(-1)?.content ?? '',
    place: lines.findLast(({ type }) => type === 'moved')?.to ?? sent.place ?? {},
    versions,
    deleted: lines.findLast(({ type }) => type === 'deleted'),
    reactions: reactionsIn(lines),
    fileIds: [...new Set(files)].sort((a, b) => a - b),
  };
}

function reactionsIn(lines: readonly MessageLine[]): Map<string, number[]> {
  const reactions = new Map<string, number[]>();
  for (const { type, emoji_name: name = '', actor } of lines) {
    if (actor.user_id === undefined) continue;
    const users = (reactions.get(name) ?? []).filter((id) => id !== actor.user_id);
    if (type === 'reacted') reactions.set(name, [...users, actor.user_id]);
    if (type === 'unreacted') reactions.set(name, users);
  }
  return new Map([...reactions].filter(([, users]) => users.length > 0));
}
