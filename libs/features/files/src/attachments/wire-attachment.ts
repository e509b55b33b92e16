import type { ReferringMessage } from '#reading';
import { type EventSchemas, integer, object, type Wire } from '#wire';
import { AttachmentSchema } from '#messages';
import type { FileUploaded } from '../model/file.events.js';
import { pathIdOf } from '../model/file-path.js';

/** A file as clients see it. */
export type WireAttachment = Wire<typeof AttachmentSchema>;

const upload_space_used = integer;

export const attachmentEventSchemas = {
  'attachment/add': { attachment: AttachmentSchema, upload_space_used },
  'attachment/update': { attachment: AttachmentSchema, upload_space_used },
  'attachment/remove': { attachment: object({ id: integer }), upload_space_used },
} satisfies EventSchemas;

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
