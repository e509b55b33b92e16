import { createHash } from 'node:crypto';
import type { User } from './user.js';

/** User records are replaced, never mutated, so values derived from one stay valid. */
const addresses = new WeakMap<User, string>();

/** Address of the picture derived from the e-mail address (rules.md §3). */
export function identiconUrl(user: User): string {
  let url = addresses.get(user);
  if (url === undefined) {
    const digest = createHash('md5').update(user.email.toLowerCase()).digest('hex');
    url = `https://secure.gravatar.com/avatar/${digest}?d=identicon&version=${user.avatarVersion}`;
    addresses.set(user, url);
  }
  return url;
}

/**
 * `avatar_url` of a user without an uploaded picture: null when the client computes such addresses itself, for which it
 * needs the e-mail address (specification, "User"; addresses are visible to everyone).
 */
export function avatarUrl(user: User, clientComputes: boolean): string | null {
  return clientComputes && user.isUnknown !== true ? null : identiconUrl(user);
}

/** `avatar_url_medium`: the same picture, 500 pixels wide. */
export function mediumAvatarUrl(user: User, clientComputes: boolean): string | null {
  return clientComputes ? null : identiconUrl(user).replace('?d=identicon', '?d=identicon&s=500');
}
