import { Injectable } from '@nestjs/common';
import { badRequest } from '#kernel';
import { Directory, knowing, mayKnowUser } from '#people';
import type { User } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { preferencesPart } from '#preferences/model';
import { wireEmoji, type WireStatus } from './wire-status.js';
import { statusesPart } from '../model/statuses.part.js';

/** Users' statuses: a text and an emoji. */
@Injectable()
export class Statuses {
  constructor(
    private readonly directory: Directory,
    private readonly extraEmojiType: ExtraEmojiType,
  ) {}

  /** @throws Refusal BAD_REQUEST for an unknown user */
  of(viewer: User, userId: number): WireStatus {
    const user = this.directory.user(userId);
    if (user === undefined || !mayKnowUser(this.directory, viewer, user)) throw badRequest('No such user');
    return this.#wire(userId);
  }

  /** Of active users, by their IDs; those who have none and are not away are left out. */
  all(viewer: User): Readonly<Record<string, WireStatus>> {
    const isKnown = knowing(this.directory, viewer);
    const statuses: Record<string, WireStatus> = {};
    const away = this.directory.of(preferencesPart).usersWith('presence_enabled', false);
    for (const userId of new Set([...this.directory.of(statusesPart).userIds(), ...away])) {
      const user = this.directory.user(userId);
      if (user?.isActive === true && isKnown(user)) statuses[userId] = this.#wire(userId);
    }
    return statuses;
  }

  #wire(userId: number): WireStatus {
    const preferences = this.directory.of(preferencesPart);
    const { text, emoji } = this.directory.of(statusesPart).of(userId);
    return {
      ...(preferences.setting(userId, 'presence_enabled') ? undefined : { away: true }),
      ...(text === '' ? undefined : { status_text: text }),
      ...(emoji === null ? undefined : wireEmoji(emoji, this.extraEmojiType)),
    };
  }
}
