import { createHash, randomUUID } from 'node:crypto';
import { openEventStore, streams } from '#event-store';
import type { JsonObject } from '#kernel';
import { newChannel, UserColors } from '#channels/model';
import type { OrganizationEvent } from '#people';
import { scrollback } from '#runtime';
import { ApiClient } from './client.js';
import type { TestServer } from './server.js';

/** Appends events that no route records to the log of a server, which must be stopped: `server.restart` is the time for it. */
export function recordFacts(server: TestServer, facts: readonly OrganizationEvent[]): Promise<void> {
  return recordIn(server, streams.organization, facts);
}

/** How many events one append takes. */
const APPENDED_MAX = 1000;

/** The same to any stream, in as many appends as it takes. */
export async function recordIn(
  server: TestServer,
  stream: string,
  facts: readonly { readonly type: string; readonly data: JsonObject }[],
): Promise<void> {
  const store = await openEventStore(server.eventStoreUrl, scrollback.registry);
  try {
    const events = facts.map(({ type, data }) => ({ id: randomUUID(), type, data }));
    for (let from = 0; from < events.length; from += APPENDED_MAX)
      await store.append(stream, 'any', events.slice(from, from + APPENDED_MAX));
  } finally {
    await store.close();
  }
}

/** A channel as the events that create it have it. */
export interface ChannelToRecord {
  readonly channelId: number;
  readonly name: string;
  readonly kind: { readonly isWebPublic?: true; readonly isPrivate?: true; readonly isProtected?: true };
  /** Groups of its permissions that are not the usual ones. */
  readonly permissions: Readonly<Record<string, number>>;
}

/** The events that create a channel and subscribe these users. */
export function channelFacts(
  { channelId, name, kind, permissions }: ChannelToRecord,
  userIds: readonly number[],
): OrganizationEvent[] {
  const at = Math.floor(Date.now() / 1000);
  const subscribers = userIds.map((userId) => ({ userId, color: new UserColors().pick(channelId) }));
  return [
    newChannel({
      channelId,
      name,
      at,
      isWebPublic: kind.isWebPublic === true,
      inviteOnly: kind.isPrivate === true,
      historyPublicToSubscribers: kind.isProtected !== true,
      permissions,
    }),
    { type: 'channel.subscribed.v1', data: { channelId, subscribers, by: null, at } },
  ];
}

/** An account of any role, or a user's bot: the events that create it, and a client that is logged in to it once they are recorded. */
export function accountOf(server: TestServer, userId: number, fullName: string, role: number, owner?: ApiClient) {
  const email = `user${userId}@example.test`;
  const key = createHash('md5').update(fullName).digest('hex');
  const at = Math.floor(Date.now() / 1000);
  const facts: OrganizationEvent[] = [
    {
      type: 'user.created.v1',
      data: {
        userId,
        email,
        fullName,
        role,
        botType: owner === undefined ? null : 1,
        botOwnerId: owner?.userId ?? null,
        timezone: '',
        at,
      },
    },
    {
      type: 'user.api-key-issued.v1',
      data: { userId, generation: 1, hash: createHash('sha256').update(key).digest('hex'), at },
    },
  ];
  const client = new ApiClient(() => server.url, email, key, fullName);
  client.isPatient = true;
  client.userId = userId;
  return { facts, client };
}
