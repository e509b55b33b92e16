import type { Handlers } from '#directory';
import type { InvitationEvent } from './invitation.events.js';
import type { Invitation } from './invitation.js';

const DAY_SECONDS = 86_400;

/** Snapshot of the book as plain JSON. */
export interface InvitationsRecord {
  readonly open: readonly Invitation[];
  readonly lastId: number;
  /** Mails of the day on which the last was sent. */
  readonly mails: { readonly day: number; readonly count: number };
}

/** Open invitations; a part of the directory. */
export class InvitationBook {
  readonly #open = new Map<number, Invitation>();
  #lastId = 0;
  #mails: InvitationsRecord['mails'] = { day: 0, count: 0 };

  readonly on: Handlers<InvitationEvent> = {
    'invitations.sent.v1': ({ data: { invitations, notifiesInviter, entails: _, ...common } }) => {
      for (const { invitationId, email } of invitations)
        this.#add({ invitationId, ...common, personal: { email, notifiesInviter, mails: 1 } });
      this.#count(common.at, invitations.length);
    },
    'invitation-link.created.v1': ({ data }) => {
      this.#add(data);
    },
    'invitation.resent.v1': ({ data: { invitationId, mail, at } }) => {
      const invitation = this.#open.get(invitationId);
      if (invitation?.personal !== undefined)
        this.#open.set(invitationId, { ...invitation, personal: { ...invitation.personal, mails: mail } });
      this.#count(at, 1);
    },
    'invitations.revoked.v1': ({ data: { invitationIds } }) => {
      for (const invitationId of invitationIds) this.#open.delete(invitationId);
    },
    'invitation.expired.v1': ({ data: { invitationId } }) => {
      this.#open.delete(invitationId);
    },
    'invitation.accepted.v1': ({ data: { invitationId, isLink } }) => {
      if (!isLink) this.#open.delete(invitationId);
    },
  };

  get(invitationId: number): Invitation | undefined {
    return this.#open.get(invitationId);
  }

  /** By ID. Some may have expired by now. */
  all(): IterableIterator<Invitation> {
    return this.#open.values();
  }

  get size(): number {
    return this.#open.size;
  }

  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Number of mails sent on the day of this time (UTC). */
  mailsOnDayOf(at: number): number {
    return dayOf(at) === this.#mails.day ? this.#mails.count : 0;
  }

  snapshot(): InvitationsRecord {
    return { open: [...this.#open.values()], lastId: this.#lastId, mails: this.#mails };
  }

  /** Fills an empty book. @param record absent in snapshots from before there were any */
  restore(record: InvitationsRecord | undefined): void {
    if (record === undefined) return;
    for (const invitation of record.open) this.#open.set(invitation.invitationId, invitation);
    this.#lastId = record.lastId;
    this.#mails = record.mails;
  }

  #add(invitation: Invitation): void {
    this.#open.set(invitation.invitationId, invitation);
    this.#lastId = invitation.invitationId;
  }

  #count(at: number, mails: number): void {
    this.#mails = { day: dayOf(at), count: this.mailsOnDayOf(at) + mails };
  }
}

function dayOf(at: number): number {
  return Math.floor(at / DAY_SECONDS);
}
