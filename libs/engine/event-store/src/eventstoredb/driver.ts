import type * as driver from '@eventstore/db-client';

/** The official client, loaded on the first connection to a server, so that an embedded server does not pay for it. */
export type Driver = typeof driver;
export type Client = driver.EventStoreDBClient;
export type Position = driver.Position;
/** An event of `$all`, as the client returns it. */
export type DriverEvent = driver.ResolvedEvent;
export type DriverRecord = NonNullable<driver.ResolvedEvent['event']>;

/** A member of a cluster, as reported by gossip. */
export interface MemberInfo {
  getState(): number;
  getIsAlive(): boolean;
  getHttpEndPoint(): { getAddress(): string; getPort(): number } | undefined;
}

/** Stub of the gossip protocol that comes with the client. */
export interface GossipStub {
  read(
    request: object,
    metadata: unknown,
    options: unknown,
    callback: (error: Error | null, info?: { getMembersList(): readonly MemberInfo[] }) => void,
  ): void;
}

/** Gossip protocol: messages and states. */
export interface Gossip {
  readonly stub: new () => GossipStub;
  readonly request: new () => object;
  /** The state of a leading member. */
  readonly leader: number;
}

/** Internals of the client that its types hide. */
export interface ClientParts {
  /** Channel of the calls; connects on the first call. */
  getChannel(): Promise<Channel>;
  /** What the server told when it was asked first. */
  readonly capabilities: Promise<{ readonly serverVersion: string }>;
  execute<Stub, Answer>(stub: new () => Stub, name: string, action: (stub: Stub) => Promise<Answer>): Promise<Answer>;
  callArguments(options: { readonly deadline: number }): [metadata: unknown, options: unknown];
  /** Creates a stream when it is needed, with the client's listeners on it. */
  GRPCStreamCreator: (
    stub: unknown,
    name: string,
    creator: (streams: StreamsStub) => unknown,
    cache: unknown,
  ) => () => Promise<unknown>;
}

/** Stub of the streams protocol. */
export interface StreamsStub {
  batchAppend(...options: readonly unknown[]): AppendStream;
}

/** Appends, and the answers to them. */
export interface AppendStream {
  on(event: string, listener: (content: unknown) => void): unknown;
  write(message: unknown): boolean;
}

export interface Channel {
  close(): void;
}

export function partsOf(client: Client): ClientParts {
  return client as unknown as ClientParts;
}

export async function loadDriver(): Promise<Driver> {
  return import('@eventstore/db-client');
}

export async function loadGossip(): Promise<Gossip> {
  const [{ default: stubs }, { default: messages }, { default: shared }] = await Promise.all([
    import('@eventstore/db-client/generated/gossip_grpc_pb.js'),
    import('@eventstore/db-client/generated/gossip_pb.js'),
    import('@eventstore/db-client/generated/shared_pb.js'),
  ]);
  return {
    stub: stubs.GossipClient as unknown as Gossip['stub'],
    request: shared.Empty,
    leader: messages.MemberInfo.VNodeState.LEADER,
  };
}
