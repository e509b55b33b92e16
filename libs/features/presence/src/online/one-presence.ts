import { Injectable } from '@nestjs/common';
import { badRequest, Clock } from '#kernel';
import { Directory, mayKnowUser } from '#people';
import { SERVER_CONSTANTS } from '#realm/model';
import { type User, userByIdOrAddress } from '#users/model';
import { integer, object, type Wire, words } from '#wire';
import { Presences } from './presences.js';
import { legacyPresence } from './wire-presence.js';

const StatusSchema = object({ status: words('active', 'idle', 'offline'), timestamp: integer });

export const OnePresenceSchema = object({ aggregated: StatusSchema, website: StatusSchema });
export type WireOnePresence = Wire<typeof OnePresenceSchema>;

/** One user's presence (endpoints.md §7). */
@Injectable()
export class OnePresence {
  constructor(
    private readonly directory: Directory,
    private readonly presences: Presences,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal BAD_REQUEST for an unknown user, a bot, and a user without presence */
  of(viewer: User, idOrEmail: string): WireOnePresence {
    const user = userByIdOrAddress(this.directory, viewer, idOrEmail);
    if (user?.isActive !== true || !mayKnowUser(this.directory, viewer, user)) throw badRequest('No such user');
    if (user.botType !== null) throw badRequest('Presence is not supported for bot users.');
    const presence = this.directory.settings.presence_disabled ? undefined : this.presences.of(user);
    if (presence === undefined) throw badRequest(`No presence data for ${idOrEmail}`);
    const { status, timestamp } = legacyPresence(presence);
    const age = Math.floor(this.clock.nowMs() / 1000) - timestamp;
    const isOffline = age > SERVER_CONSTANTS.server_presence_offline_threshold_seconds;
    const wire = { status: isOffline ? 'offline' : status, timestamp } as const;
    return { aggregated: wire, website: wire };
  }
}
