import { type Ranges, rangesOf } from '#kernel';
import {
  type MessageDocument,
  type MessageRow,
  messagesCollection,
  messagesProjection,
  MessagesReader,
} from '#messages';
import type { Directory } from '#people';
import { type Collection, type Projection, type ReadStore, where } from '#read-store';
import { type KnownEdit, knownEdits } from '../versions/known-edits.js';
import {
  messageVersionsCollection,
  messageVersionsProjection,
  type MessageVersionsDocument,
} from '../versions/message-versions.projection.js';
import { FlagsReader } from '../flags/flags.reader.js';
import {
  type FlagChunkDocument,
  type FlagSet,
  userFlagsCollection,
  userFlagsProjection,
} from '../flags/user-flags.projection.js';
import { type ArchivedMessage, archivedMessage } from './archived-message.js';
import type { ArchiveReaders } from './archive-readers.js';

const FLAG_SETS: readonly FlagSet[] = ['read', 'unread', 'starred', 'collapsed', 'historical'];

/** The projections that `ArchivedMessages` reads. */
export const archivedProjections: readonly Projection<object>[] = [
  messagesProjection,
  messageVersionsProjection,
  userFlagsProjection,
];

/** Messages that an archive gets from a range of IDs. */
export interface ArchivedPage {
  readonly messages: readonly ArchivedMessage[];
  /** Last ID examined. */
  readonly reached: number;
  readonly isLast: boolean;
}

/** Messages and flags for an archive, in pages whose size in bytes is limited. */
export class ArchivedMessages {
  private constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly versions: Collection<MessageVersionsDocument>,
    private readonly flags: FlagsReader,
  ) {}

  static async open(directory: Directory, store: ReadStore): Promise<ArchivedMessages> {
    return new ArchivedMessages(
      directory,
      new MessagesReader(await store.collection<MessageDocument>(messagesCollection)),
      await store.collection<MessageVersionsDocument>(messageVersionsCollection),
      new FlagsReader(await store.collection<FlagChunkDocument>(userFlagsCollection)),
    );
  }

  /**
   * Messages with IDs beyond `after` and up to `through`, ascending.
   * @param readers who is allowed to read them; undefined for an archive of everything
   */
  async page(after: number, through: number, readers: ArchiveReaders | undefined): Promise<ArchivedPage> {
    const range = where.range('$key', { gt: after, lte: through });
    const { rows, reached = through, isLast } = await this.reader.page(range, 'ascending', Infinity);
    const messages: ArchivedMessage[] = [];
    for (const { id, doc } of rows) {
      const viewer = readers?.of(id, doc);
      if (readers !== undefined && viewer === undefined) continue;
      const edits =
        viewer === undefined ? await this.#allEdits({ id, doc }) : await this.#editsFor(viewer, { id, doc });
      messages.push(archivedMessage(id, doc, edits));
    }
    return { messages, reached: isLast ? through : reached, isLast };
  }

  /** The user's explicit flags, by set, without empty ones. */
  async flagsOf(userId: number): Promise<ReadonlyMap<FlagSet, Ranges>> {
    const found = new Map<FlagSet, Ranges>();
    for (const set of FLAG_SETS) {
      const ids = await this.flags.all(userId, set);
      if (ids.length > 0) found.set(set, rangesOf(ids));
    }
    return found;
  }

  async #editsFor(viewer: Parameters<typeof knownEdits>[1], { id, doc }: MessageRow): Promise<readonly KnownEdit[]> {
    if (doc.edits === undefined) return [];
    return knownEdits(this.directory, viewer, id, doc, await this.#versionsOf(id, doc));
  }

  async #allEdits({ id, doc }: MessageRow): Promise<readonly KnownEdit[]> {
    const { edits = [] } = doc;
    if (edits.length === 0) return [];
    const versions = new Map((await this.#versionsOf(id, doc)).map((version) => [version.position, version]));
    return edits.map((edit) => {
      const { content, rendered } = versions.get(edit.position) ?? {};
      if (content === undefined) return edit;
      return { ...edit, prevContent: content, prevRendered: rendered };
    });
  }

  async #versionsOf(messageId: number, { lastEditAt }: MessageDocument) {
    return lastEditAt === undefined ? [] : ((await this.versions.get(messageId))?.versions ?? []);
  }
}
