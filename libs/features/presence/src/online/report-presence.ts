import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EphemeralEvents } from '#feed';
import { badRequest, Clock } from '#kernel';
import { Directory, type User } from '#organization';
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
@CommandHandler(ReportPresenceCommand)
export class ReportPresenceHandler implements ICommandHandler<ReportPresenceCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly ephemeral: EphemeralEvents,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, status }: ReportPresenceCommand): Promise<void> {
    if (actor.botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    const { directory } = this;
    if (directory.settings.presence_disabled) return;
    if (!directory.preferences.setting(actor.userId, 'presence_enabled')) return;
    const { position } = directory;
    const presence = this.presences.report(actor, status);
    if (presence === undefined) return;
    const entry = cameOnlineEntry(directory, presence, this.clock.nowMs());
    if (entry !== undefined) await this.ephemeral.announce(entry, position);
  }
}
