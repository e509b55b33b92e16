import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { EphemeralEvents } from '#feed';
import { badRequest, Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';
import type { PresenceStatus } from './presence-book.js';
import { cameOnlineEntry } from './presence.client-events.js';
import { Presences } from './presences.js';

/** Records that a person is there (endpoints.md §7). Nothing of those who do not share their presence. */
export class ReportPresenceCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly status: PresenceStatus,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST for a bot */
export const reportPresence = command(
  ReportPresenceCommand,
  { directory: Directory, presences: Presences, ephemeral: EphemeralEvents, clock: Clock },
  async ({ actor, status }, { directory, presences, ephemeral, clock }) => {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    if (directory.settings.presence_disabled) return;
    if (!directory.of(preferencesPart).setting(actor.userId, 'presence_enabled')) return;
    const { position } = directory;
    const presence = presences.report(actor, status);
    if (presence === undefined) return;
    const entry = cameOnlineEntry(directory, presence, clock.nowMs());
    if (entry !== undefined) await ephemeral.announce(entry, position);
  },
);
