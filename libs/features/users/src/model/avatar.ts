import { memoized } from '#kernel';
import { createHash } from 'node:crypto';
import { picturePath } from '#pictures/model';
import type { User } from './user.js';

const SEED_LENGTH = 32;
const CHECK_LENGTH = 8;

/**
 * Name of the picture that the server draws for a user without one: the seed of the drawing, and a check by which it
 * differs from any other name. It says nothing of the user. User records are replaced, never changed, so the name stays valid.
 */
const identiconName = memoized(({ isUnknown, userId, joinedAt }: User): string => {
  const seed = sha256(isUnknown === true ? 'unknown' : `${userId}/${joinedAt}`).slice(0, SEED_LENGTH);
  return seed + checkOf(seed);
});

/** The seed in the name of a picture that the server draws; undefined for any other name. */
export function identiconSeed(name: string): string | undefined {
  const seed = name.slice(0, SEED_LENGTH);
  return name === seed + checkOf(seed) ? seed : undefined;
}

function checkOf(seed: string): string {
  return sha256(`identicon/${seed}`).slice(0, CHECK_LENGTH);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Where the user's picture is, uploaded or drawn. `medium` is the same one, 500 pixels wide. */
export function avatarAddress(user: User, size: '' | 'medium' = ''): string {
  const name = user.avatar?.name ?? identiconName(user);
  return picturePath(`${name}${size === '' ? '' : '-medium'}.png?version=${user.avatarVersion}`);
}

/** Where the picture comes from, as clients call it: `U` uploaded, `G` drawn for the user. */
export function avatarSource(user: User): 'G' | 'U' {
  return user.avatar === undefined ? 'G' : 'U';
}

/** Whether clients may compute pictures, which they get from gravatar.com (setting `GRAVATAR`). */
export class Gravatar {
  constructor(private readonly isOn = true) {}

  /** @param asked by the client, as its `client_gravatar` */
  isComputed(asked: boolean): boolean {
    return this.isOn && asked;
  }
}

/**
 * `avatar_url` of a user: null for one without an uploaded picture when the client computes a picture itself, for which it
 * needs the e-mail address (objects.md, "User"), and so only where everyone sees that.
 */
export function avatarUrl(user: User, clientComputes: boolean): string | null {
  const isComputable = user.avatar === undefined && user.apiEmail === undefined && user.isUnknown !== true;
  return clientComputes && isComputable ? null : avatarAddress(user);
}
