import type { Kind, Role } from './model.js';

/** System groups, whose IDs are those of every organization. */
export const ADMINISTRATORS_GROUP = 2;
const MODERATORS_GROUP = 3;

/** Privacy as the model knows it, and as it is asked for. From outside, moderators and above read private channels. */
export interface Privacy {
  readonly kind: Kind;
  readonly asked: Record<string, boolean>;
}

const OPENING = { opensTo: 'can_subscribe_group' } as const;
/** The permissions of channels for `OPENING`. */
export const OPENED = { can_subscribe_group: MODERATORS_GROUP };
export const STATES: Record<string, Privacy> = {
  'web-public': { kind: { name: 'web-public', isWebPublic: true }, asked: { is_private: false, is_web_public: true } },
  public: { kind: { name: 'public' }, asked: { is_private: false, is_web_public: false } },
  shared: {
    kind: { name: 'shared', isPrivate: true, ...OPENING },
    asked: { is_private: true, is_web_public: false, history_public_to_subscribers: true },
  },
  protected: {
    kind: { name: 'protected', isPrivate: true, isProtected: true, ...OPENING },
    asked: { is_private: true, is_web_public: false, history_public_to_subscribers: false },
  },
};

export interface Viewer {
  readonly name: string;
  readonly role: Role;
  /** Subscribed when the first message was sent, and ever since. */
  readonly wasInside?: true;
  readonly isInside?: true;
  /** Stars the first message of each channel that they see. */
  readonly stars?: true;
}

export const VIEWERS: readonly Viewer[] = [
  { name: 'administrator outside', role: 'administrator' },
  { name: 'moderator outside', role: 'moderator' },
  { name: 'moderator outside who stars', role: 'moderator', stars: true },
  { name: 'member inside', role: 'member', wasInside: true, isInside: true },
  { name: 'member who left, and starred', role: 'member', wasInside: true, stars: true },
  { name: 'member outside', role: 'member' },
  { name: 'member outside who stars', role: 'member', stars: true },
  { name: 'guest inside who stars', role: 'guest', wasInside: true, isInside: true, stars: true },
  { name: 'guest who left', role: 'guest', wasInside: true },
  { name: 'guest outside', role: 'guest' },
];
