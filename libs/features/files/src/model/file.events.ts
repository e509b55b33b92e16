import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Content in the blob store: SHA-256 in hexadecimal digits, and size in bytes. */
const Blob = { hash: Type.String({ pattern: '^[0-9a-f]{64}$' }), size: Type.Integer({ minimum: 0 }) };

const Image = exactly({
  /** Size of one frame, in pixels. */
  width: Id,
  height: Id,
  frames: Id,
  /** By the name of the thumbnail format; the still one always, the animated one for animations. */
  thumbnails: Type.Array(exactly({ format: Type.String(), ...Blob })),
});

/** In the stream `files`; the file's ID is the revision plus one. The content is in the blob store before. */
export const fileUploaded = eventType(
  'file.uploaded.v1',
  exactly({
    userId: Id,
    /** Second and third part of the path; the third cannot be guessed. */
    token: Type.String({ pattern: '^[0-9a-f]{2}/[A-Za-z0-9_-]{24}$' }),
    /** Last part of the path. */
    name: Type.String({ minLength: 1 }),
    /** The name that people see; absent when it is `name`. */
    title: Type.Optional(Type.String({ minLength: 1 })),
    /** Judged by the content. */
    contentType: Type.String(),
    ...Blob,
    image: Type.Optional(Image),
    /** Milliseconds since the epoch. */
    atMs: Type.Integer(),
  }),
);

/** In the stream `file-{id}`. The content may be removed when no other file has it. */
export const fileRemoved = eventType(
  'file.removed.v1',
  exactly({
    fileId: Id,
    /** The uploader. */
    userId: Id,
    size: Type.Integer({ minimum: 0 }),
    /** By the uploader, or because nothing referred to it for a long time. */
    reason: Type.Union([Type.Literal('asked'), Type.Literal('unused')]),
    /** Seconds since the epoch. */
    at: Type.Integer(),
  }),
);

export const fileEventTypes = [fileUploaded, fileRemoved] as const;

export type FileUploaded = EventOf<typeof fileUploaded>;
export type FileRemoved = EventOf<typeof fileRemoved>;
export type FileEvent = FileUploaded | FileRemoved;
export type FileImage = NonNullable<FileUploaded['data']['image']>;
