import { connect, type Socket } from 'node:net';
import type { BSON } from 'mongodb';
import { BulkWrite } from './bulk-write.js';
import { refusal } from './errors.js';
import type { Cut, Effect } from './faults.js';
import { Flow, FREE, type Pace } from './flow.js';
import { Tails } from './tails.js';
import { answerTo, Framer, Reply, Request } from './wire.js';

export type Direction = 'to server' | 'to client';

/** A command that was answered, and when it was on its way by the clock of `performance`. */
export interface ObservedCommand {
  readonly command: string;
  readonly collection: string | undefined;
  readonly beganMs: number;
  readonly endedMs: number;
  /** Number of documents in the answer of a read. */
  readonly found: number | undefined;
}

/** What a connection needs of the proxy that it belongs to. */
export interface Surroundings {
  readonly paces: Readonly<Record<Direction, Pace>>;
  effectOn(request: Request): Effect | undefined;
  /** A server's words about itself and its siblings, as clients shall hear them. */
  rewritten(hello: BSON.Document): BSON.Document;
  /** Something came that is not the protocol. */
  failed(error: unknown): void;
  /** How long each message is on its way, each way. */
  delayMs(): number;
  observe?(command: ObservedCommand): void;
  readonly tails?: Tails;
  /** Whether clients can write to several collections by one command; what the server says when not given. */
  readonly bulkWrites?: boolean;
}

/** What servers say in a hello answer that have the command `bulkWrite` (MongoDB 8.0), and what others say at most. */
const WIRE_VERSION_OF_BULK_WRITES = 25;

interface Pending {
  readonly loses: Cut | undefined;
  readonly request: Request;
  readonly beganMs: number;
}

/** A client's connection and the one to the server that serves it. */
export class Connection {
  /** How often each command was sent on it, by name and collection: `insert journal`, `ping`. */
  readonly sent = new Map<string, number>();
  readonly #paces: Readonly<Record<Direction, Pace>> = { 'to server': { ...FREE }, 'to client': { ...FREE } };
  readonly #server: Socket;
  readonly #toServer: Flow;
  readonly #toClient: Flow;
  readonly #pending = new Map<number, Pending>();
  /** Those that are being done, by the ID of the command that the server has to answer. */
  readonly #bulkWrites = new Map<number, BulkWrite>();
  #isBulkWriter = false;
  #isCut = false;

  constructor(
    private readonly client: Socket,
    host: string,
    port: number,
    private readonly surroundings: Surroundings,
    closed: (connection: Connection) => void,
  ) {
    this.#server = connect({ host, port, noDelay: true, allowHalfOpen: true });
    const { paces } = surroundings;
    this.#toServer = new Flow(client, this.#server, [paces['to server'], this.#paces['to server']]);
    this.#toClient = new Flow(this.#server, client, [paces['to client'], this.#paces['to client']]);
    this.#relay(client, this.#toServer, (message) => this.#request(message));
    this.#relay(this.#server, this.#toClient, (message) => this.#reply(message));
    // What ends in disorder on one side does so on the other. A server that is not there is one of them.
    client.on('error', () => reset(this.#server));
    this.#server.on('error', () => reset(client));
    let open = 2;
    for (const socket of [client, this.#server]) socket.on('close', () => --open === 0 && closed(this));
  }

  /** Goes on as its paces, and those of all, now say. */
  pump(): void {
    this.#toServer.pump();
    this.#toClient.pump();
  }

  /** Bytes of this connection wait until `release`. Bytes that wait arrive also when the client has closed meanwhile. */
  hold(...directions: readonly Direction[]): void {
    for (const direction of directions) this.#paces[direction].isHeld = true;
  }

  release(): void {
    for (const direction of ['to server', 'to client'] as const) this.#paces[direction].isHeld = false;
    this.pump();
  }

  cut(how: Cut): void {
    this.#isCut = true;
    this.#toServer.stop();
    this.#toClient.stop();
    this.#server.destroy();
    if (how === 'reset') reset(this.client);
    else this.client.end().resume();
  }

  /** Leaves nothing behind. */
  destroy(): void {
    this.cut('reset');
    this.client.destroy();
  }

  #relay(from: Socket, flow: Flow, take: (message: Buffer) => void): void {
    const framer = new Framer();
    from.on('data', (bytes) => {
      if (this.#isCut) return;
      try {
        for (const message of framer.push(bytes)) take(message);
      } catch (error) {
        this.cut('reset');
        this.surroundings.failed(error);
      }
    });
    from.on('end', () => this.#later(() => flow.end()));
    from.on('close', () => this.#later(() => flow.end()));
  }

  /** Messages of one direction stay in order, since timers of the same length do. */
  #later(act: () => void): void {
    const delayMs = this.surroundings.delayMs();
    if (delayMs > 0) setTimeout(act, delayMs).unref();
    else act();
  }

  #request(bytes: Buffer): void {
    if (this.#isCut) return;
    const request = new Request(bytes);
    const name = request.collection === undefined ? request.command : `${request.command} ${request.collection}`;
    this.sent.set(name, (this.sent.get(name) ?? 0) + 1);
    const effect = this.surroundings.effectOn(request);
    switch (effect?.kind) {
      case 'ignore':
        return;
      case 'cut before':
        this.cut(effect.cut);
        return;
      case 'refuse':
        this.#answer(request, refusal(request, effect.error));
        return;
      case 'end cursor':
        this.#answer(request, exhausted(request));
        return;
      case 'hold':
        this.hold('to server');
        this.#forward(request);
        return;
      case 'lose answer':
        this.#forward(request, effect.cut);
        return;
      case undefined:
        this.#serve(request);
    }
  }

  #forward(request: Request, loses?: Cut): void {
    if (!request.isUnanswered) this.#pending.set(request.id, { loses, request, beganMs: performance.now() });
    this.#later(() => this.#send(request));
  }

  #send(request: Request): void {
    if (request.command === 'bulkWrite' && !this.#isBulkWriter) this.#goOn(new BulkWrite(request));
    else this.#toServer.push(request.bytes);
  }

  #goOn(bulkWrite: BulkWrite): void {
    const next = bulkWrite.next();
    if (next === undefined) {
      this.#replied(new Reply(answerTo(bulkWrite.request, bulkWrite.answer)));
      return;
    }
    this.#bulkWrites.set(next.id, bulkWrite);
    this.#toServer.push(next.bytes);
  }

  /** What the server does not do is done for it. */
  #serve(request: Request): void {
    const { tails } = this.surroundings;
    if (tails === undefined || !Tails.concern(request)) {
      this.#forward(request);
      return;
    }
    const pending = { loses: undefined, request, beganMs: performance.now() };
    this.#later(() => {
      const isTaken = tails.take(request, (body) => {
        const reply = new Reply(answerTo(request, body));
        this.#later(() => this.#pass(reply, pending));
      });
      if (isTaken) return;
      this.#pending.set(request.id, pending);
      this.#send(request);
    });
  }

  #reply(bytes: Buffer): void {
    if (this.#isCut) return;
    const reply = new Reply(bytes);
    const bulkWrite = this.#bulkWrites.get(reply.responseTo);
    if (bulkWrite === undefined) {
      this.#replied(reply);
      return;
    }
    this.#bulkWrites.delete(reply.responseTo);
    bulkWrite.took(reply.body);
    this.#goOn(bulkWrite);
  }

  #replied(reply: Reply): void {
    const pending = this.#pending.get(reply.responseTo);
    this.#pending.delete(reply.responseTo);
    // The next one in a row answers this one.
    if (pending !== undefined && reply.isFollowed) this.#pending.set(reply.id, pending);
    if (pending?.loses !== undefined) {
      this.cut(pending.loses);
      return;
    }
    const passed = pending === undefined ? reply : this.#rewritten(reply, pending.request);
    this.#later(() => this.#pass(passed, pending));
  }

  #rewritten(reply: Reply, request: Request): Reply {
    const { rewritten, tails } = this.surroundings;
    if (request.isHello) return reply.withBody(this.#withBulkWrites(rewritten(reply.body)));
    if (tails === undefined) return reply;
    if (request.command === 'insert') tails.inserted(request.collection ?? '', request.documents);
    const { ferretdbVersion, ...body } = request.command === 'buildInfo' ? reply.body : {};
    return ferretdbVersion === undefined ? reply : reply.withBody(body);
  }

  #withBulkWrites(hello: BSON.Document): BSON.Document {
    const { bulkWrites } = this.surroundings;
    this.#isBulkWriter = Number(hello['maxWireVersion']) >= WIRE_VERSION_OF_BULK_WRITES;
    if (bulkWrites === undefined || bulkWrites === this.#isBulkWriter) return hello;
    return { ...hello, maxWireVersion: bulkWrites ? WIRE_VERSION_OF_BULK_WRITES : WIRE_VERSION_OF_BULK_WRITES - 1 };
  }

  #pass(reply: Reply, pending: Pending | undefined): void {
    this.#toClient.push(reply.bytes);
    const { observe } = this.surroundings;
    if (pending === undefined || observe === undefined) return;
    const { request, beganMs } = pending;
    const { command, collection } = request;
    observe({ command, collection, beganMs, endedMs: performance.now(), found: reply.found });
  }

  #answer(request: Request, body: BSON.Document): void {
    if (!request.isUnanswered) this.#toClient.push(answerTo(request, body));
  }
}

/**
 * Closes by RST, but not while an orderly close is under way: Node refuses that, never closes the socket, and does not
 * end its process any more (20 and 24).
 */
function reset(socket: Socket): void {
  if (socket.writableEnded && !socket.writableFinished) socket.destroy();
  else socket.resetAndDestroy();
}

function exhausted({ body, collection }: Request): BSON.Document {
  return { cursor: { id: 0n, ns: `${String(body['$db'])}.${collection ?? ''}`, nextBatch: [] }, ok: 1 };
}
