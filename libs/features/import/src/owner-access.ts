import { randomBytes } from 'node:crypto';
import { type EventStore, streams, withOrigin } from '#event-store';
import { BY_OPERATOR, newId } from '#kernel';
import type { Directory, OrganizationEvent } from '#people';
import { isActiveOwner, type User } from '#users/model';
import { type ApiKeys, Passwords } from '#users';

/** The owner who gets a password; undefined when the organization has none who is active. */
export function ownerOf(directory: Directory): User | undefined {
  return [...directory.users()].find(isActiveOwner);
}

/** A password that nobody guesses. */
export function randomPassword(): string {
  return randomBytes(18).toString('base64url');
}

/** Records a password, and a key that derives from the secret of the new server. */
export async function recordOwnerAccess(
  events: EventStore,
  apiKeys: ApiKeys,
  directory: Directory,
  { userId, apiKey }: User,
  password: string,
  at: number,
): Promise<void> {
  const generation = (apiKey?.generation ?? 0) + 1;
  const recorded: OrganizationEvent[] = [
    {
      type: 'user.changed.v1',
      data: { userId, passwordHash: await new Passwords().hash(password), by: userId, at },
    },
    {
      type: 'user.api-key-issued.v1',
      data: { userId, generation, hash: apiKeys.hashOf(apiKeys.keyOf(userId, generation)), at },
    },
  ];
  const news = recorded.map(({ type, data }) => withOrigin({ id: newId(), type, data }, BY_OPERATOR));
  await events.append(streams.organization, directory.revision, news);
}
