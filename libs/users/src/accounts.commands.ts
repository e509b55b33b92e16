interface OnAccount {
  /** User ID of the actor; the decider looks the user up again, since roles may have changed meanwhile. */
  readonly actorId: number;
  readonly userId: number;
  /** Seconds since the epoch. */
  readonly at: number;
}

/** The account of another user. */
export interface DeactivateUser extends OnAccount {
  readonly type: 'deactivate-user';
}

export interface ReactivateUser extends OnAccount {
  readonly type: 'reactivate-user';
}

/** Undefined stays as it is. */
export interface ChangeUser extends OnAccount {
  readonly type: 'change-user';
  readonly fullName?: string | undefined;
  readonly role?: number | undefined;
}

/** One's own account. */
export interface DeactivateOwnAccount {
  readonly type: 'deactivate-own-account';
  readonly actorId: number;
  readonly at: number;
}

export type AccountCommand = DeactivateUser | ReactivateUser | ChangeUser | DeactivateOwnAccount;
