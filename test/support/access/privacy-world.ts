import type { OrganizationEvent } from '#people';
import { ROLES, type Role } from './model.js';
import { ADMINISTRATORS_GROUP, OPENED, type Privacy, type Viewer } from './privacy.js';
import type { ApiClient } from '../client.js';
import { accountOf, channelFacts, recordFacts } from '../facts.js';
import { startTestServer, type TestServer } from '../server.js';

/** A channel to be, with the privacy that it begins with. */
export interface PrivatePlace {
  readonly channelId: number;
  readonly name: string;
  readonly from: Privacy;
}

/** A server with viewers in channels of every privacy, and an administrator who is subscribed to all of them. */
export class PrivacyWorld {
  readonly clients = new Map<Viewer, ApiClient>();
  readonly #facts: OrganizationEvent[] = [];

  private constructor(
    readonly server: TestServer,
    readonly adam: ApiClient,
    private readonly viewers: readonly Viewer[],
    /** The IDs of further channels begin after it. */
    readonly lastChannelId: number,
  ) {}

  static async begin(viewers: readonly Viewer[]): Promise<PrivacyWorld> {
    const server = await startTestServer();
    await server.owner.ok('PATCH', '/realm', {
      enable_spectator_access: true,
      can_create_web_public_channel_group: { new: ADMINISTRATORS_GROUP },
    });
    const { members } = await server.owner.ok('GET', '/users');
    const { streams } = await server.owner.ok('GET', '/streams');
    let userId = Math.max(...members.map(({ user_id }: any) => user_id));
    const account = (name: string, role: Role) => accountOf(server, ++userId, name, ROLES[role]);
    const adam = account('Adam', 'administrator');
    const lastChannelId = Math.max(...streams.map(({ stream_id }: any) => stream_id));
    const world = new PrivacyWorld(server, adam.client, viewers, lastChannelId);
    world.#facts.push(...adam.facts);
    for (const viewer of viewers) {
      const { client, facts } = account(viewer.name, viewer.role);
      world.clients.set(viewer, client);
      world.#facts.push(...facts);
    }
    return world;
  }

  /**
   * Records the accounts, and the channels with those who were inside at first.
   * @param record records anything else that has no route
   */
  async open(places: readonly PrivatePlace[], record?: () => Promise<void>): Promise<void> {
    const inside = this.#idsOf(({ wasInside }) => wasInside);
    for (const { channelId, name, from } of places)
      this.#facts.push(
        ...channelFacts({ channelId, name, ...from, permissions: OPENED }, [this.adam.userId, ...inside]),
      );
    await this.server.restart(async () => {
      await recordFacts(this.server, this.#facts);
      await record?.();
    });
  }

  /** Unsubscribes those who are not inside any more. */
  async leave(places: readonly PrivatePlace[]): Promise<void> {
    const principals = this.#idsOf(({ wasInside, isInside }) => wasInside && !isInside);
    await this.adam.ok('DELETE', '/users/me/subscriptions', {
      subscriptions: places.map(({ name }) => name),
      principals,
    });
  }

  #idsOf(isMeant: (viewer: Viewer) => boolean | undefined): number[] {
    return this.viewers.filter(isMeant).map((viewer) => this.clients.get(viewer)!.userId);
  }
}
