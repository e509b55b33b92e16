import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from './store.js';
import type { ProposedEvent } from './wire.js';

const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** An invalid id or name. */
export class BadRequest extends Error {}

function eventId(id: UUID | undefined): string {
  const text = id?.getString() ?? '';
  if (!UUID_PATTERN.test(text)) throw new BadRequest('Unrecognized Guid format.');
  if (text === NIL_UUID) throw new BadRequest('Empty eventId provided.');
  return text.toLowerCase();
}

/** Parses a proposed event. Throws `BadRequest` without a valid id or type. */
export function proposedEvent(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): ProposedEvent {
  const properties = message.getMetadataMap();
  const type = properties.get('type');
  const contentType = properties.get('content-type');
  if (!type || !contentType) throw new BadRequest("Required Metadata Property 'type' is missing");
  const id = eventId(message.getId());
  return { id, type, contentType, data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() };
}

/** Size of an event that a node counts towards its append. */
export function sizeOf({ type, data, metadata }: ProposedEvent): number {
  return data.length + metadata.length + 2 * type.length;
}

interface NamedStream {
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined;
}

/** Name of the stream of a request; '' for none. */
export function streamName(options: NamedStream | undefined): string {
  const name = options?.getStreamIdentifier()?.getStreamName_asU8();
  return name ? Buffer.from(name).toString() : '';
}

interface ExpectedRevision {
  hasAny(): boolean;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

/** The expected revision of a write: `ANY`, `NO_STREAM`, `STREAM_EXISTS`, or a number. */
export function expectedRevision(options: ExpectedRevision, revision: string): number {
  if (options.hasAny()) return ANY;
  if (options.hasNoStream()) return NO_STREAM;
  if (options.hasStreamExists()) return STREAM_EXISTS;
  return Number(revision);
}
