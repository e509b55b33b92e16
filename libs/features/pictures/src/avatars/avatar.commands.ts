import type { Avatar } from '#users/model';

/** Gives the actor another picture, or takes the uploaded one away. */
export interface ChangeAvatar {
  readonly actorId: number;
  /** Content is stored already; null for the picture that the server draws. */
  readonly avatar: Avatar | null;
  /** Seconds since the epoch. */
  readonly at: number;
}
