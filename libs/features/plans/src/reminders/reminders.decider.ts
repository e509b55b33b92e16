import { keptEarlier } from '#event-store';
import { badRequest, Refusal, unreachable, type Decider } from '#kernel';
import { jsonBytes } from '../json-bytes.js';
import { nextId } from '../next-id.js';
import { assertInFuture } from '../timestamps.js';
import type { ReminderCommand } from './reminders.commands.js';
import type { ReminderEvent } from './reminders.events.js';

export const REMINDERS_MAX = 1000;
/** Of all of a user's reminders, as JSON: each client that registers gets them whole. */
export const REMINDERS_BYTES_MAX = 512 * 1024;

export const NO_SUCH_REMINDER = 'Reminder does not exist';

interface Known {
  readonly bytes: number;
  readonly deliverAt: number;
  readonly phase: 'waiting' | 'due' | 'failed';
  /** The reminder without its HTML, for the record of what there was. */
  readonly kept: unknown;
}

interface Reminders {
  lastId: number;
  /** Of all of them. */
  bytes: number;
  readonly byId: Map<number, Known>;
}

/** A user's reminders (endpoints.md §6), in their `plans-{id}` stream. */
export const remindersDecider: Decider<Reminders, ReminderCommand, ReminderEvent> = {
  initial: () => ({ lastId: 0, bytes: 0, byId: new Map() }),
  decide,
  evolve,
  earlier: ({ byId }, event) =>
    event.type === 'reminder.removed.v1' ? { reminder: byId.get(event.data.reminderId)?.kept } : undefined,
};

/** @throws Refusal BAD_REQUEST, NOT_FOUND */
function decide(state: Reminders, command: ReminderCommand): readonly ReminderEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'add-reminder': {
      const reminder = { reminderId: nextId(userId, state.lastId), ...command.reminder };
      assertInFuture(reminder.deliverAt, at);
      assertRoom(state.byId.size + 1, state.bytes + jsonBytes(reminder));
      return [{ type: 'reminder.added.v1', data: { userId, reminder, at } }];
    }
    case 'remove-reminder': {
      const { reminderId } = command;
      // One that is being delivered is as good as gone.
      if (phaseOf(state, reminderId) === undefined || phaseOf(state, reminderId) === 'due')
        throw new Refusal('NOT_FOUND', NO_SUCH_REMINDER);
      return [{ type: 'reminder.removed.v1', data: { userId, reminderId, at } }];
    }
    case 'claim-reminder': {
      const { reminderId, isUserActive } = command;
      const known = state.byId.get(reminderId);
      if (known?.phase !== 'waiting' || known.deliverAt > at) return [];
      if (!isUserActive) return [{ type: 'reminder.failed.v1', data: { userId, reminderId, at } }];
      return [{ type: 'reminder.due.v1', data: { userId, reminderId, at, entails: 'delivery' } }];
    }
    case 'finish-reminder': {
      const { reminderId, isSent } = command;
      if (phaseOf(state, reminderId) !== 'due') return [];
      return [{ type: isSent ? 'reminder.sent.v1' : 'reminder.failed.v1', data: { userId, reminderId, at } }];
    }
    default:
      return unreachable(command);
  }
}

/** Events of other plans, which are in the same stream, change nothing. */
function evolve(state: Reminders, event: ReminderEvent): Reminders {
  switch (event.type) {
    case 'reminder.added.v1': {
      const { reminder } = event.data;
      const { reminderId, deliverAt } = reminder;
      const bytes = jsonBytes(reminder);
      const { rendered: _, ...shown } = reminder;
      state.byId.set(reminderId, { bytes, deliverAt, phase: 'waiting', kept: keptEarlier(shown) });
      state.bytes += bytes;
      state.lastId = Math.max(state.lastId, reminderId);
      break;
    }
    case 'reminder.removed.v1':
    case 'reminder.sent.v1':
      forget(state, event.data.reminderId);
      break;
    case 'reminder.due.v1':
      enter(state, event.data.reminderId, 'due');
      break;
    case 'reminder.failed.v1':
      enter(state, event.data.reminderId, 'failed');
      break;
  }
  return state;
}

function phaseOf({ byId }: Reminders, reminderId: number): Known['phase'] | undefined {
  return byId.get(reminderId)?.phase;
}

function enter({ byId }: Reminders, reminderId: number, phase: Known['phase']): void {
  const known = byId.get(reminderId);
  if (known !== undefined) byId.set(reminderId, { ...known, phase });
}

function forget(state: Reminders, reminderId: number): void {
  const known = state.byId.get(reminderId);
  if (known === undefined) return;
  state.byId.delete(reminderId);
  state.bytes -= known.bytes;
}

function assertRoom(count: number, bytes: number): void {
  if (count > REMINDERS_MAX)
    throw badRequest(`You have too many reminders (limit: ${REMINDERS_MAX}). Delete some of them first.`);
  if (bytes > REMINDERS_BYTES_MAX)
    throw badRequest(
      `Your reminders are too large together (limit: ${REMINDERS_BYTES_MAX} bytes). Delete some of them first.`,
    );
}
