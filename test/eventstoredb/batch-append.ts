import type { ServerDuplexStream } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Node } from './node.js';
import type { BatchError, CallFailure } from './errors.js';
import { batchErrors, MAX_APPEND_BYTES } from './errors.js';
import { BadRequest, expectedRevision, proposedEvent, sizeOf, streamName } from './proposals.js';
import type { Outcome } from './store.js';
import { inOrder } from './turns.js';
import type { ProposedEvent } from './wire.js';

type Batch = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

/** An append whose parts have not all arrived. */
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
  const mayWrite = node.mayWrite(call);
  const takeTurn = inOrder();
  const connection = node.connectionOf(call);
  // Once the connection is cut or the call refused, its pending appends are dropped.
  let over = false;
  const refuse = (failure: CallFailure): void => {
    over = true;
    call.emit('error', failure);
  };
  const answer = (response: streams.BatchAppendResp): void => {
    if (node.faults.answersTwice) call.write(response);
    if (call.write(response)) return;
    call.pause();
    call.once('drain', () => call.resume());
  };
  call.on('data', (request: streams.BatchAppendReq) => {
    if (over) return;
    const refusedNow = node.writeRefusal(call);
    if (refusedNow) {
      refuse(refusedNow);
      return;
    }
    const correlation = request.getCorrelationId()?.getString() ?? '';
    const stream = pending.get(correlation)?.stream ?? streamName(request.getOptions());
    const error = mayWrite ? takePart(pending, correlation, request) : batchErrors.accessDenied();
    if (error) {
      pending.delete(correlation);
      answer(failedBatch(request, stream, error));
      return;
    }
    const append = pending.get(correlation);
    if (!append || !request.getIsFinal()) return;
    pending.delete(correlation);
    const fault = node.faults.nextAppend();
    if (fault.isIgnored) return;
    const finish = (): void => {
      if (over || call.cancelled || !connection.isOpen) return;
      // Another node may have become the leader meanwhile.
      const refusedLate = node.writeRefusal(call);
      if (refusedLate) {
        refuse(refusedLate);
        return;
      }
      over = fault.cut !== undefined;
      const response = fault.cut === 'before' ? undefined : applied(node, request, append);
      fault.freeze?.();
      if (over) connection.cut();
      else if (response) answer(response);
    };
    takeTurn(fault, () => node.freezer.whenAwake(finish));
  });
  call.on('end', () =>
    takeTurn({ delayMs: 0 }, () => {
      if (!over) call.end();
    }),
  );
}

/** Adds a part to its append. Returns the error that ends the append. */
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
  const outcome = node.store.append(stream, events, expected);
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
  // An empty append to a missing stream has no revision, which a client reads as 0.
  if (revision >= 0) success.setCurrentRevision(String(revision));
  const at = new shared.AllStreamPosition();
  at.setCommitPosition(String(position.commit));
  at.setPreparePosition(String(position.prepare));
  success.setPosition(at);
  response.setSuccess(success);
  return response;
}
