import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import os from 'node:os';
import { MongoClient, type BSON } from 'mongodb';
import { addressParts, hostAndPort, type AddressParts } from './address.js';
import { Connection, type Direction, type ObservedCommand } from './connection.js';
import { Faults, type Cut } from './faults.js';
import { FREE, type Pace } from './flow.js';
import type { Tails } from './tails.js';

const BOTH: readonly Direction[] = ['to server', 'to client'];
/** What a hello answer calls members of a replica set by. */
const MEMBER_LISTS = ['hosts', 'passives', 'arbiters'];
const MEMBER_NAMES = ['me', 'primary'];

export interface ProxyOptions {
  /** How long each message takes from one side to the other, each way. */
  readonly delayMs?: number;
  /** Called for each command when its answer has reached the client. */
  readonly observe?: (command: ObservedCommand) => void;
  /** Makes FerretDB look like MongoDB: its cursors wait for documents, and nothing tells that it is another server. */
  readonly tails?: Tails;
  /** Makes the server look like one of MongoDB 8.0, or an earlier one: whether one command writes to several collections. */
  readonly bulkWrites?: boolean;
}

/** A server, and where the proxy listens for it. */
interface Member {
  readonly host: string;
  readonly port: number;
  listener: Server;
  /** The address of 127.0.0.1 that stands for it. */
  address: string;
}

/**
 * Stands on 127.0.0.1 before a MongoDB server, or before each member of a replica set, and misbehaves on demand. It speaks
 * the wire protocol as it is today (OP_MSG, and OP_QUERY for the first hello), without compression and without TLS.
 */
export class MongoProxy {
  /** What can go wrong with chosen commands. */
  readonly faults = new Faults();
  /** May be changed while nothing is under way. */
  delayMs: number;
  readonly #members: Member[] = [];
  readonly #connections = new Set<Connection>();
  readonly #paces: Record<Direction, Pace> = { 'to server': { ...FREE }, 'to client': { ...FREE } };
  readonly #parts: AddressParts;
  #failure: unknown;

  private constructor(
    url: string,
    private readonly options: ProxyOptions,
  ) {
    this.#parts = addressParts(url);
    this.delayMs = options.delayMs ?? 0;
  }

  /** Before the server that this address leads to, which must be there. @throws Error for an address with TLS */
  static async start(url: string, options: ProxyOptions = {}): Promise<MongoProxy> {
    const proxy = new MongoProxy(url, options);
    for (const host of await membersOf(url, proxy.#parts.hosts)) {
      const [name, port] = hostAndPort(host);
      const member: Member = { host: name, port, listener: createServer(), address: '' };
      proxy.#members.push(member);
      await proxy.#listen(member, 0);
    }
    return proxy;
  }

  /** The address that it was started with, but through the proxy. */
  get url(): string {
    return this.urlOf(this.#parts.database);
  }

  /** Leads to another database of the same server. */
  urlOf(database: string): string {
    const hosts = this.#members.map(({ address }) => address).join(',');
    return `mongodb://${this.#parts.credentials}${hosts}/${database}${this.#parts.options}`;
  }

  /** Those that are open. */
  get connections(): readonly Connection[] {
    return [...this.#connections];
  }

  /** Cuts connections: all that are open, or those chosen among them. New ones are served. */
  cut(how: Cut = 'reset', isChosen: (connection: Connection) => boolean = () => true): void {
    for (const connection of this.connections) if (isChosen(connection)) connection.cut(how);
  }

  /** Bytes wait until `release`, on connections to come as well. What waits arrives also when its sender has closed meanwhile. */
  hold(...directions: readonly Direction[]): void {
    for (const direction of directions.length === 0 ? BOTH : directions) this.#paces[direction].isHeld = true;
  }

  /** What waits arrives, and nothing waits any more. */
  release(): void {
    for (const direction of BOTH) this.#paces[direction].isHeld = false;
    for (const connection of this.connections) connection.release();
  }

  /** Each connection passes no more bytes a second than this, in each direction, until `heal`. */
  slow(bytesPerSecond: number): void {
    for (const direction of BOTH) this.#paces[direction].bytesPerSecond = bytesPerSecond;
  }

  /** As a stopped process: connections come about, since the operating system does that, and nothing is read or answered. */
  freeze(): void {
    this.hold();
  }

  thaw(): void {
    this.release();
  }

  /** New connections are refused; those that are open go on. */
  refuse(): void {
    for (const { listener } of this.#members) listener.close();
  }

  /** New connections are served again. */
  async accept(): Promise<void> {
    for (const member of this.#members) {
      if (!member.listener.listening) await this.#listen(member, hostAndPort(member.address)[1]);
    }
  }

  /** Nothing is wrong any more. */
  async heal(): Promise<void> {
    this.faults.heal();
    for (const direction of BOTH) this.#paces[direction].bytesPerSecond = undefined;
    this.release();
    await this.accept();
  }

  /** @throws Error when something came that it could not read: what a test saw then was no fault that it ordered. */
  async stop(): Promise<void> {
    this.refuse();
    for (const connection of this.connections) connection.destroy();
    // Clients of the same process see it in the next turns.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    if (this.#failure !== undefined) throw new Error('The proxy could not read a message.', { cause: this.#failure });
  }

  async #listen(member: Member, port: number): Promise<void> {
    // A listener that was closed counts as open until its last connection is gone, so each time there is a new one.
    const listener = createServer({ noDelay: true, allowHalfOpen: true }, (socket) => this.#serve(member, socket));
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    member.listener = listener;
    member.address = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  }

  #serve({ host, port }: Member, socket: Socket): void {
    const { observe, tails, bulkWrites } = this.options;
    const connection = new Connection(
      socket,
      host,
      port,
      {
        paces: this.#paces,
        effectOn: (request) => this.faults.of(request),
        rewritten: (hello) => this.#rewritten(hello),
        failed: (error) => (this.#failure ??= error),
        delayMs: () => this.delayMs,
        ...(observe !== undefined && { observe }),
        ...(tails !== undefined && { tails }),
        ...(bulkWrites !== undefined && { bulkWrites }),
      },
      () => this.#connections.delete(connection),
    );
    this.#connections.add(connection);
  }

  /** Clients go to the members that a server names: each is named by the proxy's address for it, and none beside. */
  #rewritten(hello: BSON.Document): BSON.Document {
    const { compression: _, ...rest } = hello;
    for (const key of MEMBER_LISTS) {
      if (Array.isArray(rest[key])) rest[key] = rest[key].flatMap((name) => this.#addressOf(String(name)) ?? []);
    }
    for (const key of MEMBER_NAMES) {
      if (rest[key] !== undefined) rest[key] = this.#addressOf(String(rest[key]));
    }
    return rest;
  }

  #addressOf(name: string): string | undefined {
    const [host, port] = hostAndPort(name);
    return this.#members.find((member) => member.host === host && member.port === port)?.address;
  }
}

/** Those that a replica set names, or those of the address. */
async function membersOf(url: string, named: readonly string[]): Promise<readonly string[]> {
  const client = new MongoClient(url, { runtimeAdapters: { os } });
  try {
    const { hosts, passives = [] } = await client.db('admin').command({ hello: 1 });
    return Array.isArray(hosts) ? [...hosts, ...passives] : named;
  } finally {
    await client.close();
  }
}
