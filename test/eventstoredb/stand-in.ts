import { writeFileSync } from 'node:fs';
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
  ServiceDefinition,
} from '@grpc/grpc-js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { batchAppend } from './batch-append.js';
import { unaryAppend } from './unary-append.js';
import { selfSigned } from './certificate.js';
import { Connections } from './connections.js';
import { deleteStream, tombstoneStream } from './deletes.js';
import { Faults } from './faults.js';
import { supportedMethods } from './features.js';
import { Node } from './node.js';
import { read } from './reads.js';
import { ANY } from './store.js';
import type { ProposedEvent } from './wire.js';

/** How a stand-in is set up. */
export interface StandInOptions {
  /** At 127.0.0.1; any free port if not given. */
  port?: number;
  /** Names and passwords. Without them everybody may do everything, as on an insecure node. */
  users?: Readonly<Record<string, string>>;
  /** Encrypts, with a new certificate that is written to this file. Clients send no passwords without it. */
  tlsCAFile?: string;
}

// Messages of reads are bytes already.
const STREAMS = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: (message: Buffer) => message },
} as unknown as ServiceDefinition;

/**
 * An EventStoreDB node of version 22.10 for tests: it serves streams over gRPC from memory, as a real node answered the
 * questions of `probe.mjs`. Events outlive `stop` and `start`; they are gone with the object.
 */
export class EventStoreDbStandIn {
  /** What can go wrong, on demand. */
  readonly faults = new Faults();
  readonly #server = new Server();
  readonly #connections: Connections;
  readonly #node: Node;

  readonly #tlsCAFile: string | undefined;

  private constructor({ port = 0, users, tlsCAFile }: StandInOptions) {
    this.#tlsCAFile = tlsCAFile;
    const injector = this.#server.createConnectionInjector(credentials(tlsCAFile));
    this.#connections = new Connections(port, (socket) => injector.injectConnection(socket));
    this.#node = new Node(this.faults, users, (peer) => this.#connections.cut(peer));
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

  /** How many events `$all` holds, those of the node itself included. */
  get eventCount(): number {
    return this.#node.store.log.length;
  }

  /** How many messages reads and subscriptions were given so far. */
  get messagesSent(): number {
    return this.#node.messagesSent;
  }

  /** Goes away: refuses connections and cuts those that there are, as a killed process does. */
  async stop(): Promise<void> {
    await this.#connections.close();
  }

  /** Comes back on the same port with all its events. It no longer knows retries that name no revision. */
  async resume(): Promise<void> {
    this.#node.store.restarted();
    await this.#connections.open();
  }

  /** Goes away and comes back. */
  async restart(): Promise<void> {
    await this.stop();
    await this.resume();
  }

  /** Cuts all connections and goes on listening. */
  cutConnections(): void {
    this.#connections.cutAll();
  }

  /** Appends without a client, for tests that need very many events. */
  seed(stream: string, events: readonly ProposedEvent[]): void {
    this.#node.append(stream, events, ANY);
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
  }
}

function credentials(tlsCAFile: string | undefined): ServerCredentials {
  if (!tlsCAFile) return ServerCredentials.createInsecure();
  const { key, certificate } = selfSigned();
  writeFileSync(tlsCAFile, certificate);
  return ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) }]);
}
