import { randomUUID } from 'node:crypto';
import { status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { CallFailure, streamDeleted } from './errors.js';
import { eventFilter } from './filter.js';
import { FilteredSubscription } from './filtered-subscription.js';
import type { Node } from './node.js';
import { streamName } from './proposals.js';
import type { ReadCall, Source } from './pump.js';
import { Pump } from './pump.js';
import { allSource, liveAllSource, liveStreamSource, requestedPosition, streamSource } from './sources.js';
import type { Store } from './store.js';

const { BACKWARDS } = streams.ReadReq.Options.ReadDirection;

/** Streams.Read: a read of a stream or of `$all`, or a subscription to one. */
export function read(node: Node, call: ReadCall): void {
  const refused = node.refusal(call);
  const options = call.request.getOptions();
  if (refused || !options) {
    call.emit('error', refused ?? new CallFailure(status.INVALID_ARGUMENT, 'Options are missing.'));
    return;
  }
  if (options.hasSubscription()) {
    subscribe(node, call, options);
    return;
  }
  try {
    const source = options.hasAll() ? allRead(node.store, options) : streamRead(node.store, options);
    new Pump(call, source, node.pumping(false)).run();
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    call.emit('error', error);
  }
}

function subscribe(node: Node, call: ReadCall, options: ReadReq.Options): void {
  const source = options.hasAll() ? allSubscription(node.store, options) : streamSubscription(node.store, options);
  const pump = new Pump(call, source, node.pumping(true));
  call.write(confirmation());
  node.follow(pump);
  pump.run();
}

function streamRead(store: Store, options: ReadReq.Options): Source {
  const target = options.getStream();
  const name = streamName(target);
  const stream = store.stream(name);
  if (stream?.tombstoned) throw streamDeleted(name);
  if (!target || !stream || stream.ordinals.length === 0 || stream.truncateBefore === Infinity) return notFound(name);
  const first = store.firstRevision(stream);
  const last = stream.ordinals.length - 1;
  const count = Number(options.getCount());
  const wanted = target.hasEnd() ? Infinity : target.hasStart() ? 0 : Number(target.getRevision());
  if (options.getReadDirection() === BACKWARDS) {
    return streamSource(store, stream.ordinals, { from: Math.min(wanted, last), to: first, step: -1, count });
  }
  return streamSource(store, stream.ordinals, { from: Math.max(wanted, first), to: last, step: 1, count });
}

function allRead(store: Store, options: ReadReq.Options): Source {
  const { log } = store;
  const target = options.getAll()!;
  const position = requestedPosition(target);
  const filter = options.getFilter();
  const wanted = position ? log.ordinalAt(position, false) : target.hasEnd() ? log.length : 0;
  const count = Number(options.getCount());
  const range =
    options.getReadDirection() === BACKWARDS
      ? { from: wanted - 1, to: 0, step: -1 as const, count }
      : { from: wanted, to: log.length - 1, step: 1 as const, count };
  return allSource(store, range, filter && eventFilter(filter));
}

function streamSubscription(store: Store, options: ReadReq.Options): Source {
  const target = options.getStream();
  const name = streamName(target);
  const end = store.stream(name)?.ordinals.length ?? 0;
  const from = !target || target.hasStart() ? 0 : target.hasEnd() ? end : Number(target.getRevision()) + 1;
  return liveStreamSource(store, name, from);
}

function allSubscription(store: Store, options: ReadReq.Options): Source {
  const target = options.getAll()!;
  const position = requestedPosition(target);
  const from = position ? store.log.ordinalAt(position, true) : target.hasEnd() ? store.log.length : 0;
  const filter = options.getFilter();
  return filter ? new FilteredSubscription(store.log, eventFilter(filter), from) : liveAllSource(store, from);
}

function confirmation(): Buffer {
  const message = new streams.ReadResp.SubscriptionConfirmation();
  message.setSubscriptionId(randomUUID());
  const response = new streams.ReadResp();
  response.setConfirmation(message);
  return Buffer.from(response.serializeBinary());
}

/** A missing stream is reported in a message; the read itself succeeds. */
function notFound(name: string): Source {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  const message = new streams.ReadResp.StreamNotFound();
  message.setStreamIdentifier(identifier);
  const response = new streams.ReadResp();
  response.setStreamNotFound(message);
  const messages = [Buffer.from(response.serializeBinary())];
  return { next: () => messages.pop() ?? 'none' };
}
