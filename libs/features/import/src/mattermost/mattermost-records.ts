import { ArchiveProblem, type ArchiveReader } from '#archive';
import { SortedRecords, TooManyRecords } from '../translated/sorted-records.js';
import {
  LEFT_OUT_KINDS,
  type MattermostBot,
  type MattermostChannel,
  type MattermostDirectPost,
  type MattermostEmoji,
  type MattermostMessage,
  type MattermostPost,
  type MattermostTeam,
  type MattermostUser,
  readMattermost,
} from './mattermost-documents.js';

/** A post, direct post or reply. */
export interface MattermostRecord {
  /** Key of the channel. */
  readonly channel?: string;
  /** Names of all participants of a direct conversation. */
  readonly members?: readonly string[];
  /** Number of the thread, when there is one. */
  readonly thread?: number;
  /** Begins the thread. */
  readonly isRoot?: true;
  readonly message: MattermostMessage;
}

/** What an export holds; the messages are sorted by time, in temporary files. */
export interface MattermostContent {
  readonly teams: readonly MattermostTeam[];
  readonly channels: readonly MattermostChannel[];
  readonly users: readonly MattermostUser[];
  readonly bots: readonly MattermostBot[];
  readonly emoji: readonly MattermostEmoji[];
  readonly records: SortedRecords<MattermostRecord>;
  /** Time of the oldest message, in seconds since the epoch. */
  readonly begunAt: number;
  /** Lines of other kinds that have no place here, by kind. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/** Kinds of lines that are told by name; of more, only the number is told. */
const OTHER_KINDS_MAX = 20;

/** Lines after which progress is told. */
const LINES_AT_ONCE = 1_000;

/** @throws ArchiveProblem; what `onLines` throws */
export async function readContent(
  archive: ArchiveReader,
  entry: string,
  onLines: (lines: number) => void,
): Promise<MattermostContent> {
  const records = await SortedRecords.create<MattermostRecord>(({ message }) => message.create_at);
  try {
    return await new ContentReading(records, onLines).read(archive, entry);
  } catch (error) {
    await records.remove();
    if (error instanceof TooManyRecords) throw new ArchiveProblem(entry, error.message, { cause: error });
    throw error;
  }
}

/** Key of a channel: names of channels are unique in their team. */
export function channelKey(team: string, channel: string): string {
  return `${team}/${channel}`;
}

class ContentReading {
  readonly #teams: MattermostTeam[] = [];
  readonly #channels: MattermostChannel[] = [];
  readonly #users: MattermostUser[] = [];
  readonly #bots: MattermostBot[] = [];
  readonly #emoji: MattermostEmoji[] = [];
  readonly #leftOut = new Map<string, number>();
  #threads = 0;
  #begunAtMs = Infinity;

  constructor(
    private readonly records: SortedRecords<MattermostRecord>,
    private readonly onLines: (lines: number) => void,
  ) {}

  async read(archive: ArchiveReader, entry: string): Promise<MattermostContent> {
    const onOther = (kind: string): void => this.#leaveOut(kind);
    let lines = 0;
    for await (const { type, value } of readMattermost(archive, entry, onOther)) {
      if (++lines % LINES_AT_ONCE === 0) this.onLines(lines);
      switch (type) {
        case 'post':
          await this.#addPost(value, { channel: channelKey(value.team, value.channel) });
          break;
        case 'direct_post':
          await this.#addPost(value, { members: value.channel_members });
          break;
        case 'team':
          this.#teams.push(value);
          break;
        case 'channel':
          this.#channels.push(value);
          break;
        case 'user':
          this.#users.push(value);
          break;
        case 'bot':
          this.#bots.push(value);
          break;
        case 'emoji':
          this.#emoji.push(value);
          break;
        case 'direct_channel':
          if ((value.header ?? '') !== '') this.#leaveOut('header of a direct conversation');
      }
    }
    const { records } = this;
    const [teams, channels, users, bots, emoji] = [this.#teams, this.#channels, this.#users, this.#bots, this.#emoji];
    const begunAt = Number.isFinite(this.#begunAtMs) ? Math.floor(this.#begunAtMs / 1000) : 1;
    return { teams, channels, users, bots, emoji, records, begunAt, leftOut: this.#leftOut };
  }

  async #addPost(
    { replies, ...message }: MattermostPost | MattermostDirectPost,
    place: Pick<MattermostRecord, 'channel' | 'members'>,
  ): Promise<void> {
    this.#begunAtMs = Math.min(this.#begunAtMs, message.create_at);
    const isThread = (replies ?? []).length > 0;
    const thread = isThread ? { thread: ++this.#threads } : {};
    await this.records.add({ ...place, ...thread, ...(isThread ? { isRoot: true } : {}), message });
    for (const reply of replies ?? []) {
      await this.records.add({ ...place, ...thread, message: reply });
    }
  }

  #leaveOut(kind: string): void {
    const known = LEFT_OUT_KINDS.has(kind) || this.#leftOut.size < OTHER_KINDS_MAX ? kind : 'unknown';
    this.#leftOut.set(known, (this.#leftOut.get(known) ?? 0) + 1);
  }
}
