import type { sendUnaryData, ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Node } from './node.js';
import type { BatchError } from './errors.js';
import { batchErrors, CallFailure, MAX_APPEND_BYTES, maxAppendSizeExceeded, streamDeleted } from './errors.js';
import { BadRequest, expectedRevision, proposedEvent, sizeOf, streamName } from './proposals.js';
import type { Outcome } from './store.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from './store.js';
import { inOrder } from './turns.js';
import type { ProposedEvent } from './wire.js';

type Batch = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type Unary = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** An append of which not all parts have arrived. */
interface PendingAppend {
  stream: string;
  expected: number;
  deadlineMs: number;
  events: ProposedEvent[];
  bytes: number;
}

/** Streams.BatchAppend: many appends over one call, each answered under its correlation id. */
export function batchAppend(node: Node, call: Batch): void {
  const refused = node.refusal(call, { anonymous: true }) ?? node.faults.ofWrite();
  if (refused) {
    call.emit('error', refused);
    return;
  }
  const pending = new Map<string, PendingAppend>();
  const takeTurn = inOrder();
  const answer = (response: streams.BatchAppendResp): void => {
    if (call.cancelled || call.destroyed || call.write(response)) return;
    call.pause();
    call.once('drain', () => call.resume());
  };
  call.on('data', (request: streams.BatchAppendReq) => {
    const refusedNow = node.faults.ofCall() ?? node.faults.ofWrite();
    if (refusedNow) {
      call.emit('error', refusedNow);
      return;
    }
    const correlation = request.getCorrelationId()?.getString() ?? '';
    const error = node.mayWrite(call) ? takePart(pending, correlation, request) : batchErrors.accessDenied();
    if (error) {
      pending.delete(correlation);
      answer(failedBatch(request, streamName(request.getOptions()), error));
      return;
    }
    const append = pending.get(correlation);
    if (!append || !request.getIsFinal()) return;
    pending.delete(correlation);
    const fault = node.faults.nextAppend();
    takeTurn(fault.delayMs, () => {
      if (call.cancelled) return;
      if (fault.cut === 'before') {
        node.cut(call);
        return;
      }
      const response = applied(node, request, append);
      if (fault.cut === 'after') node.cut(call);
      else answer(response);
    });
  });
  call.on('end', () => takeTurn(0, () => call.end()));
}

/** Adds what a request brings to its append. Returns the error that ends the append. */
function takePart(
  pending: Map<string, PendingAppend>,
  correlation: string,
  request: streams.BatchAppendReq,
): BatchError | undefined {
  const options = request.getOptions();
  if (options) {
    const stream = streamName(options);
    if (stream === '') return batchErrors.badRequest('Required field StreamIdentifier not set.');
    const deadline = options.getDeadline();
    const deadlineMs = deadline ? deadline.toDate().getTime() : Infinity;
    if (deadlineMs <= Date.now()) return batchErrors.timeout();
    const expected = expectedRevision(options, options.getStreamPosition());
    pending.set(correlation, { stream, expected, deadlineMs, events: [], bytes: 0 });
  }
  const append = pending.get(correlation);
  if (!append) return undefined;
  try {
    for (const message of request.getProposedMessagesList()) {
      const event = proposedEvent(message);
      append.bytes += sizeOf(event);
      append.events.push(event);
    }
  } catch (error) {
    if (error instanceof BadRequest) return batchErrors.badRequest(error.message);
    throw error;
  }
  return append.bytes > MAX_APPEND_BYTES ? batchErrors.maxAppendSizeExceeded() : undefined;
}

function applied(node: Node, request: streams.BatchAppendReq, append: PendingAppend): streams.BatchAppendResp {
  const { stream, expected, events, deadlineMs } = append;
  if (Date.now() >= deadlineMs) return failedBatch(request, stream, batchErrors.timeout());
  const outcome = node.append(stream, events, expected);
  switch (outcome.kind) {
    case 'written':
      return succeededBatch(request, stream, outcome);
    case 'wrongRevision':
      return failedBatch(request, stream, batchErrors.wrongExpectedVersion(expected, outcome.actual));
    case 'deleted':
      return failedBatch(request, stream, batchErrors.streamDeleted(stream));
  }
}

function batchResponse(request: streams.BatchAppendReq, stream: string): streams.BatchAppendResp {
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(request.getCorrelationId());
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  response.setStreamIdentifier(identifier);
  return response;
}

function failedBatch(request: streams.BatchAppendReq, stream: string, error: BatchError): streams.BatchAppendResp {
  const response = batchResponse(request, stream);
  response.setError(error);
  return response;
}

function succeededBatch(
  request: streams.BatchAppendReq,
  stream: string,
  { revision, position }: Outcome & { kind: 'written' },
): streams.BatchAppendResp {
  const response = batchResponse(request, stream);
  const success = new streams.BatchAppendResp.Success();
  // Nothing appended to no stream has no revision; a client reads that as 0.
  if (revision >= 0) success.setCurrentRevision(String(revision));
  const at = new shared.AllStreamPosition();
  at.setCommitPosition(String(position.commit));
  at.setPreparePosition(String(position.prepare));
  success.setPosition(at);
  response.setSuccess(success);
  return response;
}

/** Streams.Append: one append over one call, which the client prefers when a call brings its own credentials. */
export function append(node: Node, call: Unary, respond: sendUnaryData<streams.AppendResp>): void {
  const refused = node.refusal(call) ?? node.faults.ofWrite();
  if (refused) {
    respond(refused);
    return;
  }
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
    inOrder()(fault.delayMs, () => {
      if (call.cancelled) return;
      if (fault.cut === 'before') {
        node.cut(call);
        return;
      }
      const outcome = node.append(stream, events, expected);
      if (fault.cut === 'after') node.cut(call);
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
