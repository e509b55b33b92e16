import { BSON } from 'mongodb';

/** Message kinds of MongoDB's wire protocol. The driver opens each connection by OP_QUERY and then speaks OP_MSG. */
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Length, request ID, response ID, kind: four int32. */
const HEADER_BYTES = 16;
/** What servers accept. A longer message means that the stream is not MongoDB's protocol. */
const MESSAGE_BYTES_MAX = 48_000_000;
const MORE_TO_COME = 2;
const BODY_SECTION = 0;
const BSON_STRING = 2;

/** Values keep their BSON types, so that a document that is read and written again is the same. */
const EXACT = { promoteValues: false, promoteLongs: false, bsonRegExp: true } as const;

/** Splits a stream of bytes into messages. */
export class Framer {
  #rest: Buffer = Buffer.alloc(0);

  /** The messages that end in these bytes. @throws Error when they are not MongoDB's protocol */
  *push(bytes: Buffer): Generator<Buffer> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length >= HEADER_BYTES) {
      const length = this.#rest.readInt32LE(0);
      if (length < HEADER_BYTES || length > MESSAGE_BYTES_MAX) throw new Error(`A message of ${length} bytes.`);
      if (this.#rest.length < length) return;
      yield this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
    }
  }
}

/** A client's command. */
export class Request {
  readonly id: number;
  readonly command: string;
  /** The collection that it is about, if any. */
  readonly collection: string | undefined;
  readonly #bodyAt: number;

  constructor(readonly bytes: Buffer) {
    this.id = bytes.readInt32LE(4);
    this.#bodyAt = bodyOffset(bytes);
    const { name, text } = firstField(bytes, this.#bodyAt);
    this.command = name;
    this.collection = name === 'getMore' ? String(this.body['collection']) : text;
  }

  get body(): BSON.Document {
    return documentAt(this.bytes, this.#bodyAt);
  }

  /** Those that it inserts. */
  get documents(): readonly BSON.Document[] {
    return this.sequence('documents');
  }

  /** Documents of a list: in the body, or in a sequence of their own. */
  sequence(name: string): readonly BSON.Document[] {
    return this.body[name] ?? sequenceOf(this.bytes, name);
  }

  /** The client waits for no answer. */
  get isUnanswered(): boolean {
    return opCode(this.bytes) === OP_MSG && (this.bytes.readUInt32LE(HEADER_BYTES) & MORE_TO_COME) !== 0;
  }

  get isHello(): boolean {
    return ['hello', 'ismaster', 'isMaster'].includes(this.command);
  }
}

/** A server's answer. */
export class Reply {
  readonly id: number;
  readonly responseTo: number;

  constructor(readonly bytes: Buffer) {
    this.id = bytes.readInt32LE(4);
    this.responseTo = bytes.readInt32LE(8);
  }

  get body(): BSON.Document {
    return documentAt(this.bytes, bodyOffset(this.bytes));
  }

  /** Number of documents, if it answers a read. */
  get found(): number | undefined {
    const cursor = this.body['cursor'];
    return (cursor?.firstBatch ?? cursor?.nextBatch)?.length;
  }

  /** Another answer to the same request follows: so servers tell monitors of changes. */
  get isFollowed(): boolean {
    return opCode(this.bytes) === OP_MSG && (this.bytes.readUInt32LE(HEADER_BYTES) & MORE_TO_COME) !== 0;
  }

  /** The same answer with another document. */
  withBody(body: BSON.Document): Reply {
    const at = bodyOffset(this.bytes);
    const length = this.bytes.readInt32LE(at);
    const parts = [this.bytes.subarray(0, at), BSON.serialize(body), this.bytes.subarray(at + length)];
    const bytes = Buffer.concat(parts);
    bytes.writeInt32LE(bytes.length, 0);
    return new Reply(bytes);
  }
}

/** An answer that no server gave. */
export function answerTo({ id, bytes }: Request, body: BSON.Document): Buffer {
  const document = BSON.serialize(body);
  const isMessage = opCode(bytes) === OP_MSG;
  // OP_MSG: flags and the kind of the section. OP_REPLY: flags, cursor ID (int64), first document, number of documents.
  const start = Buffer.alloc(HEADER_BYTES + (isMessage ? 5 : 20));
  start.writeInt32LE(start.length + document.length, 0);
  start.writeInt32LE(id, 8);
  start.writeInt32LE(isMessage ? OP_MSG : OP_REPLY, 12);
  if (!isMessage) start.writeInt32LE(1, start.length - 4);
  return Buffer.concat([start, document]);
}

/** A command that no client has sent. */
export function commandOf(id: number, body: BSON.Document): Buffer {
  const document = BSON.serialize(body);
  // Flags and the kind of the section.
  const start = Buffer.alloc(HEADER_BYTES + 5);
  start.writeInt32LE(start.length + document.length, 0);
  start.writeInt32LE(id, 4);
  start.writeInt32LE(OP_MSG, 12);
  return Buffer.concat([start, document]);
}

function opCode(bytes: Buffer): number {
  return bytes.readInt32LE(12);
}

/** Where the document is that holds the command or the answer. */
function bodyOffset(bytes: Buffer): number {
  switch (opCode(bytes)) {
    case OP_MSG: {
      let at = HEADER_BYTES + 4;
      // The sections before the body are sequences of documents, each with its length in front.
      while (bytes[at] !== BODY_SECTION) at += 1 + bytes.readInt32LE(at + 1);
      return at + 1;
    }
    case OP_QUERY:
      return bytes.indexOf(0, HEADER_BYTES + 4) + 1 + 8;
    case OP_REPLY:
      return HEADER_BYTES + 20;
    default:
      throw new Error(`A message of kind ${opCode(bytes)}, which the server does not offer.`);
  }
}

/** The documents of a sequence beside the body. */
function sequenceOf(bytes: Buffer, name: string): readonly BSON.Document[] {
  if (opCode(bytes) !== OP_MSG) return [];
  const documents: BSON.Document[] = [];
  for (let at = HEADER_BYTES + 4; at < bytes.length;) {
    const end = at + 1 + bytes.readInt32LE(at + 1);
    const start = bytes.indexOf(0, at + 5) + 1;
    if (bytes[at] !== BODY_SECTION && bytes.toString('utf8', at + 5, start - 1) === name) {
      for (let next = start; next < end; next += bytes.readInt32LE(next)) documents.push(documentAt(bytes, next));
    }
    at = end;
  }
  return documents;
}

/** The command's name and, when that is a text, its value: decoding whole commands would cost more than passing them on. */
function firstField(bytes: Buffer, documentAt: number): { readonly name: string; readonly text: string | undefined } {
  const typeAt = documentAt + 4;
  const endOfName = bytes.indexOf(0, typeAt + 1);
  const name = bytes.toString('utf8', typeAt + 1, endOfName);
  if (bytes[typeAt] !== BSON_STRING) return { name, text: undefined };
  const length = bytes.readInt32LE(endOfName + 1);
  return { name, text: bytes.toString('utf8', endOfName + 5, endOfName + 4 + length) };
}

function documentAt(bytes: Buffer, at: number): BSON.Document {
  return BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at)), EXACT);
}
