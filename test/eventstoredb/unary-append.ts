import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { CallFailure, MAX_APPEND_BYTES, maxAppendSizeExceeded, streamDeleted } from './errors.js';
import type { Node } from './node.js';
import { expectedRevision, proposedEvent, sizeOf, streamName } from './proposals.js';
import type { Outcome } from './store.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from './store.js';
import { inOrder } from './turns.js';
import type { ProposedEvent } from './wire.js';

type Unary = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** Streams.Append: one append over one call, which the client prefers when a call brings its own credentials. */
export function unaryAppend(node: Node, call: Unary, respond: sendUnaryData<streams.AppendResp>): void {
  const refused = node.refusal(call) ?? node.faults.ofWrite();
  if (refused) {
    respond(refused);
    return;
  }
  const connection = node.connectionOf(call);
  let options: streams.AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  let bytes = 0;
  let failure: CallFailure | undefined;
  call.on('data', (request: streams.AppendReq) => {
    options ??= request.getOptions();
    const message = request.getProposedMessage();
    if (!message || failure) return;
    try {
      const event = proposedEvent(message);
      bytes += sizeOf(event);
      if (bytes > MAX_APPEND_BYTES) failure = maxAppendSizeExceeded();
      else events.push(event);
    } catch {
      failure = new CallFailure(status.UNKNOWN, 'Exception was thrown by handler.');
    }
  });
  call.on('end', () => {
    const stream = streamName(options);
    if (!options || stream === '') failure ??= new CallFailure(status.UNKNOWN, 'Exception was thrown by handler.');
    if (failure || !options) {
      respond(failure ?? null);
      return;
    }
    const expected = expectedRevision(options, options.getRevision());
    const fault = node.faults.nextAppend();
    inOrder()(fault, () => {
      if (call.cancelled || !connection.isOpen) return;
      const outcome = fault.cut === 'before' ? undefined : node.store.append(stream, events, expected);
      if (!outcome || fault.cut) connection.cut();
      else if (outcome.kind === 'deleted') respond(streamDeleted(stream));
      else respond(null, unaryResponse(outcome, expected));
    });
  });
}

function unaryResponse(outcome: Exclude<Outcome, { kind: 'deleted' }>, expected: number): streams.AppendResp {
  const response = new streams.AppendResp();
  if (outcome.kind === 'wrongRevision') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.actual < 0) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(outcome.actual));
    if (expected === ANY) wrong.setExpectedAny(new shared.Empty());
    else if (expected === STREAM_EXISTS) wrong.setExpectedStreamExists(new shared.Empty());
    else if (expected === NO_STREAM) wrong.setExpectedNoStream(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    response.setWrongExpectedVersion(wrong);
    return response;
  }
  const success = new streams.AppendResp.Success();
  if (outcome.revision < 0) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(outcome.revision));
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(String(outcome.position.commit));
  position.setPreparePosition(String(outcome.position.prepare));
  success.setPosition(position);
  response.setSuccess(success);
  return response;
}
