import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable } from '#feed';
import type { FileReference, MessageEdited, MessageSent, MessagesMoved } from '#messages';
import { FileReferences } from '#reading';
import type { FileEvent } from '../model/file.events.js';
import { fileIdOf } from '../model/files.projection.js';
import { FilesReader, SpaceReader } from '../model/files.reader.js';
import { wireAttachment, type WireAttachment, type attachmentEventSchemas } from './wire-attachment.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof attachmentEventSchemas>;

type Body =
  | { readonly op: 'add'; readonly attachment: WireAttachment }
  | { readonly op: 'update'; readonly fileId: number }
  | { readonly op: 'remove'; readonly fileId: number };

interface Prepared {
  /** Files in their current state, by ID. */
  readonly attachments: ReadonlyMap<number, WireAttachment>;
  readonly usedBytes: number;
}

/** Client events about files (events.md §3), for the clients of their uploaders. */
@Injectable()
export class AttachmentClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<FileEvent | MessageSent | MessageEdited | MessagesMoved> = {
    'file.uploaded.v1': ({ revision, data }) => [
      entryFor(data.userId, { op: 'add', attachment: wireAttachment(fileIdOf(revision), data, []) }),
    ],
    'file.removed.v1': ({ data: { userId, fileId } }) => [entryFor(userId, { op: 'remove', fileId })],
    'message.sent.v1': ({ data }) => (data.files === undefined ? NOTHING : updates(data.files)),
    'message.edited.v1': ({ data }) => updatesOfEdit(data),
    'messages.moved.v1': ({ data: { edit } }) => (edit === undefined ? NOTHING : updatesOfEdit(edit)),
  };
  override readonly types: ReadonlySet<string> = new Set(['attachment']);

  constructor(
    private readonly files: FilesReader,
    private readonly space: SpaceReader,
    private readonly references: FileReferences,
  ) {
    super();
  }

  override async prepare(entries: readonly Presentable<Body>[]): Promise<Prepared> {
    const changed = entries.flatMap(({ entry: { body } }) => (body.op === 'update' ? [body.fileId] : []));
    const fileIds = [...new Set(changed)];
    const files = await this.files.getMany(fileIds);
    const messages = await this.references.of(fileIds);
    const attachments = new Map(
      [...files].map(([fileId, { doc }]) => [fileId, wireAttachment(fileId, doc, messages.get(fileId) ?? [])]),
    );
    return { attachments, usedBytes: await this.space.used() };
  }

  override present(
    { entry: { body } }: Presentable<Body>,
    _recipient: unknown,
    { attachments, usedBytes }: Prepared,
  ): readonly Told[] {
    const shared = { type: 'attachment', upload_space_used: usedBytes } as const;
    if (body.op === 'add') return [{ ...shared, op: 'add', attachment: body.attachment }];
    if (body.op === 'remove') return [{ ...shared, op: 'remove', attachment: { id: body.fileId } }];
    const attachment = attachments.get(body.fileId);
    // It was removed since, which has its own client event.
    return attachment === undefined ? [] : [{ ...shared, op: 'update', attachment }];
  }
}

const NOTHING: readonly FeedEntry<Body>[] = [];

function updatesOfEdit({
  attached = [],
  detached = [],
}: Pick<MessageEdited['data'], 'attached' | 'detached'>): readonly FeedEntry<Body>[] {
  return updates([...attached, ...detached]);
}

function updates(files: readonly FileReference[]): readonly FeedEntry<Body>[] {
  return files.map(({ fileId, ownerId }) => entryFor(ownerId, { op: 'update', fileId }));
}

function entryFor(userId: number, body: Body): FeedEntry<Body> {
  return { type: 'attachment', audience: { to: 'users', ids: [userId] }, body };
}
