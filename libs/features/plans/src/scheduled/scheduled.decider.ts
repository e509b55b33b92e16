import { isDeepStrictEqual } from 'node:util';
import { keptEarlier } from '#event-store';
import { badRequest, Refusal, unreachable, type Decider } from '#kernel';
import { jsonBytes } from '../json-bytes.js';
import { nextId } from '../next-id.js';
import { assertInFuture } from '../timestamps.js';
import type { ScheduledCommand } from './scheduled.commands.js';
import type { ScheduledEvent, ScheduledFailed, ScheduledMessage } from './scheduled.events.js';

export const SCHEDULED_MAX = 1000;
/** Of all of a user's scheduled messages, as JSON: each client that registers gets them whole. */
export const SCHEDULED_BYTES_MAX = 2 * 1024 * 1024;
/** A message that could not be sent for this long after its time would surprise its recipients (endpoints.md §6). */
export const LATE_MAX_SECONDS = 600;
/** IDs of sent messages that are remembered, for the answer to a change that comes too late. */
const SENT_MAX = 1000;

export const TOO_LATE = 'The message could not be sent at the scheduled time.';
export const SENDER_DEACTIVATED = 'The account of the sender has been deactivated.';

export const NO_SUCH_SCHEDULED = 'Scheduled message does not exist';

interface Known {
  readonly bytes: number;
  readonly deliverAt: number;
  readonly changes: number;
  readonly phase: 'waiting' | 'due' | 'failed';
  /** The message without its HTML, for the record of what there was. */
  readonly kept: unknown;
}

interface Scheduled {
  lastId: number;
  /** Of all of them. */
  bytes: number;
  readonly byId: Map<number, Known>;
  /** The last ones. */
  readonly sent: Set<number>;
}

/** A user's scheduled messages (endpoints.md §6), in their `plans-{id}` stream. */
export const scheduledDecider: Decider<Scheduled, ScheduledCommand, ScheduledEvent> = {
  initial: () => ({ lastId: 0, bytes: 0, byId: new Map(), sent: new Set() }),
  decide,
  evolve,
  earlier,
};

/** @throws Refusal BAD_REQUEST, NOT_FOUND; SERVER_NOT_READY for a change of what has been changed since it was read */
function decide(state: Scheduled, command: ScheduledCommand): readonly ScheduledEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'add-scheduled': {
      const message = { scheduledId: nextId(userId, state.lastId), ...command.message };
      assertInFuture(message.deliverAt, at);
      assertRoom(state.byId.size + 1, state.bytes + jsonBytes(message));
      return [{ type: 'scheduled-message.added.v1', data: { userId, message, at } }];
    }
    case 'change-scheduled':
      return change(state, command);
    case 'remove-scheduled': {
      const { scheduledId } = command;
      assertNotSent(existing(state, scheduledId));
      return [{ type: 'scheduled-message.removed.v1', data: { userId, scheduledId, at } }];
    }
    case 'retry-scheduled': {
      const { message, changes } = command.read;
      const known = state.byId.get(message.scheduledId);
      if (known?.phase !== 'failed' || known.changes !== changes) return [];
      return [{ type: 'scheduled-message.changed.v1', data: { userId, message: { ...message, deliverAt: at }, at } }];
    }
    case 'drop-scheduled': {
      const { scheduledId, reason } = command;
      if (state.byId.get(scheduledId)?.phase !== 'failed') return [];
      return [{ type: 'scheduled-message.removed.v1', data: { userId, scheduledId, reason, at } }];
    }
    case 'claim-scheduled':
      return claim(state, command);
    case 'finish-scheduled': {
      const { message, failure } = command;
      const { scheduledId } = message;
      if (state.byId.get(scheduledId)?.phase !== 'due') return [];
      if (failure !== undefined) return [failed(userId, message, failure, at)];
      return [{ type: 'scheduled-message.sent.v1', data: { userId, scheduledId, at } }];
    }
    default:
      return unreachable(command);
  }
}

function change(
  state: Scheduled,
  { userId, at, scheduledId, change: asked, isTimed }: Extract<ScheduledCommand, { type: 'change-scheduled' }>,
): readonly ScheduledEvent[] {
  if (state.sent.has(scheduledId)) throw alreadySent();
  const known = existing(state, scheduledId);
  assertNotSent(known);
  if (known.changes !== asked?.from.changes)
    throw new Refusal('SERVER_NOT_READY', 'This message is being changed by another request. Please try again.');
  const { from, to } = asked;
  if (isTimed || known.phase === 'failed') assertInFuture(to.deliverAt, at);
  if (isDeepStrictEqual(from.message, to)) return [];
  assertRoom(state.byId.size, state.bytes - known.bytes + jsonBytes(to));
  return [{ type: 'scheduled-message.changed.v1', data: { userId, message: to, at } }];
}

/** Takes a message that is due for delivery, once. Nothing happens to one that was changed, removed or claimed meanwhile. */
function claim(
  state: Scheduled,
  { userId, at, read, isSenderActive }: Extract<ScheduledCommand, { type: 'claim-scheduled' }>,
): readonly ScheduledEvent[] {
  const { message, changes } = read;
  const known = state.byId.get(message.scheduledId);
  if (known?.phase !== 'waiting') return [];
  if (known.changes !== changes || known.deliverAt > at) return [];
  if (at - known.deliverAt > LATE_MAX_SECONDS) return [failed(userId, message, TOO_LATE, at)];
  if (!isSenderActive) return [failed(userId, message, SENDER_DEACTIVATED, at)];
  const { scheduledId } = message;
  return [{ type: 'scheduled-message.due.v1', data: { userId, scheduledId, at, entails: 'delivery' } }];
}

function failed(userId: number, message: ScheduledMessage, reason: string, at: number): ScheduledFailed {
  return { type: 'scheduled-message.failed.v1', data: { userId, message, reason, at, entails: 'notice' } };
}

/** Events of other plans, which are in the same stream, change nothing. */
function evolve(state: Scheduled, event: ScheduledEvent): Scheduled {
  switch (event.type) {
    case 'scheduled-message.added.v1':
    case 'scheduled-message.changed.v1': {
      const { message } = event.data;
      const { scheduledId, deliverAt } = message;
      const changes = event.type === 'scheduled-message.added.v1' ? 0 : (forget(state, scheduledId)?.changes ?? 0) + 1;
      const bytes = jsonBytes(message);
      const { rendered: _, ...shown } = message;
      state.byId.set(scheduledId, { bytes, deliverAt, changes, phase: 'waiting', kept: keptEarlier(shown) });
      state.bytes += bytes;
      state.lastId = Math.max(state.lastId, scheduledId);
      break;
    }
    case 'scheduled-message.removed.v1':
      forget(state, event.data.scheduledId);
      break;
    case 'scheduled-message.due.v1':
      enter(state, event.data.scheduledId, 'due');
      break;
    case 'scheduled-message.failed.v1':
      enter(state, event.data.message.scheduledId, 'failed');
      break;
    case 'scheduled-message.sent.v1':
      forget(state, event.data.scheduledId);
      remember(state.sent, event.data.scheduledId);
      break;
  }
  return state;
}

/** The message as it was before it is changed or removed. */
function earlier({ byId }: Scheduled, event: ScheduledEvent): object | undefined {
  switch (event.type) {
    case 'scheduled-message.changed.v1':
      return { message: byId.get(event.data.message.scheduledId)?.kept };
    case 'scheduled-message.removed.v1':
      return { message: byId.get(event.data.scheduledId)?.kept };
    default:
      return undefined;
  }
}

function enter({ byId }: Scheduled, scheduledId: number, phase: Known['phase']): void {
  const known = byId.get(scheduledId);
  if (known !== undefined) byId.set(scheduledId, { ...known, phase });
}

function forget(state: Scheduled, scheduledId: number): Known | undefined {
  const known = state.byId.get(scheduledId);
  if (known === undefined) return undefined;
  state.byId.delete(scheduledId);
  state.bytes -= known.bytes;
  return known;
}

function remember(sent: Set<number>, scheduledId: number): void {
  sent.add(scheduledId);
  const [first] = sent;
  if (sent.size > SENT_MAX && first !== undefined) sent.delete(first);
}

function assertRoom(count: number, bytes: number): void {
  if (count > SCHEDULED_MAX)
    throw badRequest(`You have too many scheduled messages (limit: ${SCHEDULED_MAX}). Delete some of them first.`);
  if (bytes > SCHEDULED_BYTES_MAX)
    throw badRequest(
      `Your scheduled messages are too large together (limit: ${SCHEDULED_BYTES_MAX} bytes). Delete some of them first.`,
    );
}

function assertNotSent({ phase }: Known): void {
  if (phase === 'due') throw alreadySent();
}

function alreadySent(): Refusal {
  return badRequest('Scheduled message was already sent');
}

function existing({ byId }: Scheduled, scheduledId: number): Known {
  const known = byId.get(scheduledId);
  if (known === undefined) throw new Refusal('NOT_FOUND', NO_SUCH_SCHEDULED);
  return known;
}
