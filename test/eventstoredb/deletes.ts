import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { streamDeleted, wrongExpectedVersion } from './errors.js';
import type { Position } from './log.js';
import type { Node } from './node.js';
import { expectedRevision, streamName } from './proposals.js';
import type { Outcome } from './store.js';

/** Streams.Delete: the stream is gone until somebody appends to it again. */
export function deleteStream(
  node: Node,
  call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  respond: sendUnaryData<streams.DeleteResp>,
): void {
  const options = call.request.getOptions()!;
  const expected = expectedRevision(options, options.getRevision());
  const failure = node.refusal(call) ?? node.faults.ofWrite();
  if (failure) {
    respond(failure);
    return;
  }
  finish('Delete', streamName(options), expected, node.delete(streamName(options), expected), respond, (at) => {
    const response = new streams.DeleteResp();
    response.setPosition(written(new streams.DeleteResp.Position(), at));
    return response;
  });
}

/** Streams.Tombstone: the stream is gone for ever. */
export function tombstoneStream(
  node: Node,
  call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  respond: sendUnaryData<streams.TombstoneResp>,
): void {
  const options = call.request.getOptions()!;
  const expected = expectedRevision(options, options.getRevision());
  const failure = node.refusal(call) ?? node.faults.ofWrite();
  if (failure) {
    respond(failure);
    return;
  }
  finish('Tombstone', streamName(options), expected, node.tombstone(streamName(options), expected), respond, (at) => {
    const response = new streams.TombstoneResp();
    response.setPosition(written(new streams.TombstoneResp.Position(), at));
    return response;
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

function finish<Response>(
  what: string,
  stream: string,
  expected: number,
  outcome: Outcome,
  respond: sendUnaryData<Response>,
  success: (position: Position) => Response,
): void {
  switch (outcome.kind) {
    case 'written':
      respond(null, success(outcome.position));
      return;
    case 'deleted':
      respond(streamDeleted(stream));
      return;
    case 'wrongRevision':
      respond(wrongExpectedVersion(what, stream, expected, outcome.actual));
  }
}
