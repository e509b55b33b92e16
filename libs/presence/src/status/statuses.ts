import { Injectable } from '@nestjs/common';
import { badRequest } from '#kernel';
import { Directory } from '#organization';
import { wireEmoji, type WireStatus } from './wire-status.js';

/** Users' statuses: a text and an emoji. */
@Injectable()
export class Statuses {
  constructor(private readonly directory: Directory) {}

  /** @throws Refusal BAD_REQUEST for an unknown user */
  of(userId: number, clientIsZulip: boolean): WireStatus {
    if (this.directory.user(userId) === undefined) throw badRequest('No such user');
    return this.#wire(userId, clientIsZulip);
  }

  /** Of active users, by their IDs; those who have none and are not away are left out. */
  all(clientIsZulip: boolean): Readonly<Record<string, WireStatus>> {
    const statuses: Record<string, WireStatus> = {};
    for (const userId of this.directory.preferences.withStatus())
      if (this.directory.user(userId)?.isActive === true) statuses[userId] = this.#wire(userId, clientIsZulip);
    return statuses;
  }

  #wire(userId: number, clientIsZulip: boolean): WireStatus {
    const { preferences } = this.directory;
    const { text, emoji } = preferences.of(userId).status;
    return {
      ...(preferences.setting(userId, 'presence_enabled') ? undefined : { away: true }),
      ...(text === '' ? undefined : { status_text: text }),
      ...(emoji === null ? undefined : wireEmoji(emoji, clientIsZulip)),
    };
  }
}
