import type { ReferringMessage } from '#reading';
import type { FileUploaded } from '../model/file.events.js';
import { pathIdOf } from '../model/file-path.js';

/** A file as clients see it (objects.md, "Attachment"). Times are in milliseconds. */
export type WireAttachment = {
  readonly id: number;
  readonly name: string;
  readonly path_id: string;
  readonly size: number;
  readonly create_time: number;
  readonly messages: { readonly id: number; readonly date_sent: number }[];
};

export function wireAttachment(
  id: number,
  file: Pick<FileUploaded['data'], 'token' | 'name' | 'title' | 'size' | 'atMs'>,
  messages: readonly ReferringMessage[],
): WireAttachment {
  return {
    id,
    name: file.title ?? file.name,
    path_id: pathIdOf(file),
    size: file.size,
    create_time: file.atMs,
    messages: messages.map(({ messageId, sentAt }) => ({ id: messageId, date_sent: sentAt * 1000 })),
  };
}
