import type { User } from '#users/model';

/** A member, with the given changes. */
export function sampleUser(userId: number, change: Partial<User> = {}): User {
  return {
    userId,
    email: `user${userId}@acme.test`,
    fullName: `User ${userId}`,
    role: 400,
    isActive: true,
    botType: null,
    botOwnerId: null,
    timezone: '',
    avatarVersion: 1,
    joinedAt: 1,
    ...change,
  };
}
