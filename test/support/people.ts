import { channelId } from './answers.js';
import type { ApiClient } from './client.js';
import { startTestServer, type TestServer } from './server.js';

/** A server with its owner and three accounts: who most stories need. */
export interface Cast {
  readonly server: TestServer;
  readonly owner: ApiClient;
  readonly ann: ApiClient;
  readonly ben: ApiClient;
  readonly cleo: ApiClient;
}

/** @param log receives every log line of the server */
export async function startWithPeople(
  log?: (line: string) => void,
  environment: Record<string, string> = {},
): Promise<Cast> {
  const server = await startTestServer(environment, log);
  return {
    server,
    owner: server.owner,
    ann: await server.user('Ann Archer'),
    ben: await server.user('Ben Baker'),
    cleo: await server.user('Cleo Cole'),
  };
}

/** A new channel of the first of these, with all of them subscribed; gives its ID. */
export async function channelOf(name: string, creator: ApiClient, ...others: ApiClient[]): Promise<number> {
  const principals = [creator, ...others].map(({ userId }) => userId);
  await creator.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals });
  return channelId(creator, name);
}
