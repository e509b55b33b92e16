import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { streamDeleted, wrongExpectedVersion } from './errors.js';
import type { Position } from './log.js';
import type { Node } from './node.js';
import { expectedRevision, streamName } from './proposals.js';
import type { Outcome } from './store.js';

type Options = Parameters<typeof streamName>[0] & Parameters<typeof expectedRevision>[0] & { getRevision(): string };

/** How a stream is removed, and the response. */
interface Removal<Response> {
  /** As errors call it. */
  readonly what: string;
  remove(stream: string, expected: number): Outcome;
  written(at: Position): Response;
}

/** Streams.Delete: the stream is gone until the next append to it. */
export function deleteStream(
  node: Node,
  call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  respond: sendUnaryData<streams.DeleteResp>,
): void {
  removeStream(node, call, call.request.getOptions()!, respond, {
    what: 'Delete',
    remove: (stream, expected) => node.store.delete(stream, expected),
    written: (at) => {
      const response = new streams.DeleteResp();
      response.setPosition(written(new streams.DeleteResp.Position(), at));
      return response;
    },
  });
}

/** Streams.Tombstone: the stream is gone for ever. */
export function tombstoneStream(
  node: Node,
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  respond: sendUnaryData<streams.TombstoneResp>,
): void {
  removeStream(node, call, call.request.getOptions()!, respond, {
    what: 'Tombstone',
    remove: (stream, expected) => node.store.tombstone(stream, expected),
    written: (at) => {
      const response = new streams.TombstoneResp();
      response.setPosition(written(new streams.TombstoneResp.Position(), at));
      return response;
    },
  });
}

interface PositionMessage {
  setCommitPosition(value: string): unknown;
  setPreparePosition(value: string): unknown;
}

function written<Message extends PositionMessage>(message: Message, { commit, prepare }: Position): Message {
  message.setCommitPosition(String(commit));
  message.setPreparePosition(String(prepare));
  return message;
}

function removeStream<Request, Response>(
  node: Node,
  call: ServerUnaryCall<Request, Response>,
  options: Options,
  respond: sendUnaryData<Response>,
  removal: Removal<Response>,
): void {
  const expected = expectedRevision(options, options.getRevision());
  const failure = node.refusal(call) ?? node.faults.ofWrite();
  if (failure) {
    respond(failure);
    return;
  }
  const stream = streamName(options);
  const outcome = removal.remove(stream, expected);
  switch (outcome.kind) {
    case 'written':
      respond(null, removal.written(outcome.position));
      return;
    case 'deleted':
      respond(streamDeleted(stream));
      return;
    case 'wrongRevision':
      respond(wrongExpectedVersion(removal.what, stream, expected, outcome.actual));
  }
}
