import { Injectable } from '@nestjs/common';
import { type Checkpoint, EventStore, messageIdOf, type RecordedOf, streams } from '#event-store';
import { includesId, nextSlice } from '#kernel';
import type { FileReference, MessageEvent, MessageSent } from '#messages';

/** What the log says of messages that refer to files: it is asked before a file is removed because none does. */
@Injectable()
export class RecordedReferences {
  constructor(private readonly store: EventStore) {}

  /**
   * Those of the files to which a message refers now. Reads all events of messages, in slices.
   * @param after place in the log before which nothing refers to them
   */
  async among(fileIds: ReadonlySet<number>, after: Checkpoint): Promise<ReadonlySet<number>> {
    const byMessage = new Map<number, readonly number[]>();
    const streamPrefixes = [streams.messages, streams.allMessageChanges];
    for await (const page of this.store.readAll({ after, streamPrefixes })) {
      for (const event of page) note(byMessage, fileIds, event as Recorded);
      await nextSlice();
    }
    return new Set([...byMessage.values()].flat());
  }
}

type Recorded = RecordedOf<MessageSent | MessageEvent>;

function note(byMessage: Map<number, readonly number[]>, fileIds: ReadonlySet<number>, event: Recorded): void {
  const refers = (messageId: number, files: readonly FileReference[] = []): void => {
    const asked = files.map(({ fileId }) => fileId).filter((fileId) => fileIds.has(fileId));
    if (asked.length > 0) byMessage.set(messageId, asked);
    else byMessage.delete(messageId);
  };
  switch (event.type) {
    case 'message.sent.v1':
      refers(messageIdOf(event.revision), event.data.files);
      return;
    case 'message.edited.v1':
      refers(event.data.messageId, event.data.files);
      return;
    case 'messages.moved.v1':
      if (event.data.edit !== undefined) refers(event.data.targetId, event.data.edit.files);
      return;
    case 'message.deleted.v1':
      byMessage.delete(event.data.messageId);
      return;
    case 'messages.deleted.v1':
    case 'messages.expired.v1':
      for (const messageId of byMessage.keys()) if (includesId(event.data.ids, messageId)) byMessage.delete(messageId);
      return;
    default:
  }
}
