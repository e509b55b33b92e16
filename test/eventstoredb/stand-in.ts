import { writeFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServiceDefinition,
} from '@grpc/grpc-js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { batchAppend } from './batch-append.js';
import { unaryAppend } from './unary-append.js';
import type { Identity } from './certificate.js';
import { selfSigned } from './certificate.js';
import { Connections } from './connections.js';
import { deleteStream, tombstoneStream } from './deletes.js';
import { Faults } from './faults.js';
import { supportedMethods } from './features.js';
import { Freezer } from './frozen.js';
import type { Member, Membership } from './gossip.js';
import { serveGossip } from './gossip.js';
import { Node } from './node.js';
import { read } from './reads.js';
import type { Store } from './store.js';
import { ANY } from './store.js';
import type { ProposedEvent } from './wire.js';

/** Options of a stand-in. */
export interface StandInOptions {
  /** Port on 127.0.0.1; any free one by default. */
  port?: number;
  /** Names and passwords. Without them all users have all permissions, as on an insecure node. */
  users?: Readonly<Record<string, string>>;
  /** Uses TLS, with a new certificate that is written to this file. Clients send no passwords without it. */
  tlsCAFile?: string;
  /** The parts that a member of a cluster shares with the others. */
  member?: { membership: Membership; store: Store; identity: Identity };
}

const ALONE = '00000000-0000-4000-8000-000000000001';

// Messages of reads are bytes already.
const STREAMS = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: (message: Buffer) => message },
} as unknown as ServiceDefinition;

/**
 * An EventStoreDB node of version 22.10 for tests: it serves streams over gRPC from memory, with the answers that a
 * real node gave to `probe.mjs`. Events survive `stop` and `start`; they are lost with the object.
 */
export class EventStoreDbStandIn {
  /** Faults on demand. */
  readonly faults = new Faults();
  readonly #server = new Server();
  readonly #connections: Connections;
  readonly #node: Node;
  readonly #freezer = new Freezer();
  readonly #tlsCAFile: string | undefined;

  private constructor({ port = 0, users, tlsCAFile, member }: StandInOptions) {
    this.#tlsCAFile = tlsCAFile;
    const injector = this.#server.createConnectionInjector(credentials(tlsCAFile, member?.identity));
    const serve = (socket: Duplex): void => injector.injectConnection(socket);
    this.#connections = new Connections(port, serve, member && this.#freezer);
    this.#node = new Node(this.faults, users, this.#connections, member?.store, member?.membership, this.#freezer);
    this.#serve(this.#node);
  }

  /** Starts one on a free port of 127.0.0.1. */
  static async start(options: StandInOptions = {}): Promise<EventStoreDbStandIn> {
    const standIn = new EventStoreDbStandIn(options);
    await standIn.#connections.open();
    return standIn;
  }

  /** Its connection string, without a user. */
  get url(): string {
    return `esdb://127.0.0.1:${this.port}?${this.#urlOptions}`;
  }

  /** Its connection string for a user. */
  urlAs(user: string, password: string): string {
    return `esdb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${this.port}?${this.#urlOptions}`;
  }

  get port(): number {
    return this.#connections.port;
  }

  /** Number of events in `$all`, including the node's own. */
  get eventCount(): number {
    return this.#node.store.log.length;
  }

  /** Number of open connections. */
  get connectionCount(): number {
    return this.#connections.count;
  }

  /** Number of messages sent to reads and subscriptions so far. */
  get messagesSent(): number {
    return this.#node.messagesSent;
  }

  /** Stops like a killed process: refuses connections and cuts existing ones. */
  async stop(): Promise<void> {
    await this.#connections.close();
  }

  /** Starts again on the same port with all its events. It does not recognise retries without a revision any more. */
  async resume(): Promise<void> {
    this.#node.store.restarted();
    await this.#connections.open();
  }

  /** Stops and starts again. */
  async restart(): Promise<void> {
    await this.stop();
    await this.resume();
  }

  /** Cuts all connections and keeps listening. */
  cutConnections(): void {
    this.#connections.cutAll();
  }

  /** For its cluster: freezes it like SIGSTOP. */
  freeze(): void {
    this.#freezer.freeze();
  }

  /** For its cluster: continues after `freeze`. */
  thaw(): void {
    this.#freezer.thaw();
  }

  /** Appends without a client, for tests that need very many events. */
  seed(stream: string, events: readonly ProposedEvent[]): void {
    this.#node.store.append(stream, events, ANY);
  }

  /** Damages the first record that has the text: another one of the same length is in its place. */
  tamper(text: string, other: string): void {
    this.#node.store.log.tamper(text, other);
  }

  get #urlOptions(): string {
    return this.#tlsCAFile ? `tls=true&tlsCAFile=${this.#tlsCAFile}` : 'tls=false';
  }

  #serve(node: Node): void {
    const serveRead: handleServerStreamingCall<streams.ReadReq, Buffer> = (call) => read(node, call);
    const serveAppend: handleClientStreamingCall<streams.AppendReq, streams.AppendResp> = (call, respond) =>
      unaryAppend(node, call, respond);
    const serveBatchAppend: handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp> = (call) =>
      batchAppend(node, call);
    const serveDelete: handleUnaryCall<streams.DeleteReq, streams.DeleteResp> = (call, respond) =>
      deleteStream(node, call, respond);
    const serveTombstone: handleUnaryCall<streams.TombstoneReq, streams.TombstoneResp> = (call, respond) =>
      tombstoneStream(node, call, respond);
    this.#server.addService(STREAMS, {
      read: serveRead,
      append: serveAppend,
      batchAppend: serveBatchAppend,
      delete: serveDelete,
      tombstone: serveTombstone,
    });
    const getSupportedMethods: handleUnaryCall<unknown, unknown> = (_call, respond) => {
      const refused = node.faults.ofCall();
      if (refused) respond(refused);
      else respond(null, supportedMethods());
    };
    this.#server.addService(ServerFeaturesService, { getSupportedMethods });
    const members = (): readonly Member[] => node.membership?.members() ?? [this.#alone()];
    this.#server.addService(GossipService, { read: serveGossip(() => node.faults.ofCall(), members) });
  }

  /** A node without a cluster leads itself. */
  #alone(): Member {
    return { id: ALONE, port: this.port, state: 'leader', isAlive: true };
  }
}

function credentials(tlsCAFile: string | undefined, identity: Identity | undefined): ServerCredentials {
  if (!tlsCAFile) return ServerCredentials.createInsecure();
  const { key, certificate } = identity ?? selfSigned();
  writeFileSync(tlsCAFile, certificate);
  return ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) }]);
}
