import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, noClientEvents } from '#feed';
import type { Directory } from '#people';
import { ROLE } from '#users/model';
import type { InvitationEvent } from './model/invitation.events.js';
import type { invitationEventSchemas } from './wire-invitation.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof invitationEventSchemas>;

/** What inviters and administrators are told of invitations: `invites_changed`, upon which clients ask for them again (events.md). */
@Injectable()
export class InvitationClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<InvitationEvent> = {
    'invitations.sent.v1': ({ data: { by } }, directory) => changed(directory, [by]),
    'invitation-link.created.v1': ({ data: { by } }, directory) => changed(directory, [by]),
    'invitations.revoked.v1': ({ data: { inviterIds } }, directory) => changed(directory, inviterIds),
    'invitation.expired.v1': ({ data: { inviterId } }, directory) => changed(directory, [inviterId]),
    'invitation.accepted.v1': ({ data: { inviterId } }, directory) => changed(directory, [inviterId]),
    // The list shows nothing of it.
    'invitation.resent.v1': noClientEvents,
  };
  override readonly types: ReadonlySet<string> = new Set(['invites_changed']);

  override present(): readonly Told[] {
    return [{ type: 'invites_changed' }];
  }
}

function changed(directory: Directory, inviterIds: readonly number[]): readonly FeedEntry[] {
  const ids = new Set(inviterIds);
  for (const { userId, role, isActive, botType } of directory.users())
    if (isActive && botType === null && role <= ROLE.administrator) ids.add(userId);
  return [{ type: 'invites_changed', audience: { to: 'users', ids: [...ids] }, body: {} }];
}
