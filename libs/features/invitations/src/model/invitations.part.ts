import { directoryBook } from '#directory';
import { InvitationBook } from './invitation-book.js';
import { invitationEventTypes } from './invitation.events.js';

/** Open invitations. */
export const invitationsPart = directoryBook({
  name: 'invitations',
  events: invitationEventTypes,
  open: () => new InvitationBook(),
});
