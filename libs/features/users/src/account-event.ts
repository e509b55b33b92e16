import type { BotEvent } from '#bots/model';
import type { InvitationEvent } from '#invitations/model';
import type { OrganizationEvent } from '#people';

/** What becomes of an account, and of what depends on it. */
export type AccountEvent = OrganizationEvent | InvitationEvent | BotEvent;
