import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, noClientEvents, type Presentable } from '#feed';
import type { ScheduledEvent } from './scheduled.events.js';
import { wireScheduled, type WireScheduled, type scheduledEventSchemas } from './wire-scheduled.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof scheduledEventSchemas>;

type Body =
  | { readonly op: 'add'; readonly scheduled_messages: readonly [WireScheduled] }
  | { readonly op: 'update'; readonly scheduled_message: WireScheduled }
  | { readonly op: 'remove'; readonly scheduled_message_id: number };

/** What a user's clients are told of the user's scheduled messages (events.md §3). */
@Injectable()
export class ScheduledClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ScheduledEvent> = {
    'scheduled-message.added.v1': ({ data: { userId, message } }) => [
      entryFor(userId, { op: 'add', scheduled_messages: [wireScheduled(userId, message, false)] }),
    ],
    'scheduled-message.changed.v1': ({ data: { userId, message } }) => [
      entryFor(userId, { op: 'update', scheduled_message: wireScheduled(userId, message, false) }),
    ],
    'scheduled-message.failed.v1': ({ data: { userId, message } }) => [
      entryFor(userId, { op: 'update', scheduled_message: wireScheduled(userId, message, true) }),
    ],
    'scheduled-message.removed.v1': ({ data: { userId, scheduledId } }) => [gone(userId, scheduledId)],
    'scheduled-message.sent.v1': ({ data: { userId, scheduledId } }) => [gone(userId, scheduledId)],
    // Clients are told of the outcome.
    'scheduled-message.due.v1': noClientEvents,
  };
  override readonly types: ReadonlySet<string> = new Set(['scheduled_messages']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [{ type: 'scheduled_messages', ...entry.body }];
  }
}

function gone(userId: number, scheduledId: number): FeedEntry<Body> {
  return entryFor(userId, { op: 'remove', scheduled_message_id: scheduledId });
}

function entryFor(userId: number, body: Body): FeedEntry<Body> {
  return { type: 'scheduled_messages', audience: { to: 'users', ids: [userId] }, body };
}
