import { randomUUID } from 'node:crypto';
import { namespaceOf, WrongStreamPrefix } from '../stream-prefix.js';
import { streams } from '../streams.js';
import type { Connection } from './connection.js';
import type { DriverRecord } from './driver.js';
import { answerWithin } from './running-time.js';
import type { ServerReads } from './server-reads.js';
import { lastRevision } from './stream-tail.js';
import { NoAnswer, troubleOf } from './trouble.js';

/** One stream for all installations that share a server, outside any prefix. */
const CLAIMS = 'scrollback-organizations';
const CLAIM_TYPE = 'scrollback.organization.v1';

const PAGE_EVENTS = 500;
const APPEND_LIMIT_MS = 2_000;

/** Owner of a prefix. The owner is a fingerprint of the installation's secret. */
interface Claim {
  readonly prefix: string;
  readonly owner: string;
}

/**
 * Records on the server which organization owns which prefix, so that a wrong prefix is detected even when the read
 * models are new.
 */
export class PrefixClaims {
  constructor(
    private readonly connection: Connection,
    private readonly reads: ServerReads,
  ) {}

  /**
   * Claims a prefix for an owner.
   * @throws WrongStreamPrefix when this prefix has no log, or another owner's, while the same owner has claimed another
   * prefix that has a log; EventStoreUnavailable
   */
  async claim({ prefix, owner }: Claim): Promise<void> {
    for (;;) {
      const { claims, last } = await this.#read();
      const owners = claims.filter((claim) => claim.prefix === prefix).map((claim) => claim.owner);
      const isOurs = owners.includes(owner);
      // An unclaimed log is older than claims, or was copied.
      const isFree = (isOurs || owners.length === 0) && (await this.#hasLog(prefix));
      if (!isFree) await this.#assertNoOther(claims, { prefix, owner });
      if (isOurs) return;
      if (await this.#append({ prefix, owner }, last)) return;
    }
  }

  async #assertNoOther(claims: readonly Claim[], { prefix, owner }: Claim): Promise<void> {
    for (const other of claims) {
      if (other.owner !== owner || other.prefix === prefix || !(await this.#hasLog(other.prefix))) continue;
      throw new WrongStreamPrefix(prefix, other.prefix, 'the event store has the organization of this SECRET_KEY');
    }
  }

  async #hasLog(prefix: string): Promise<boolean> {
    return (await lastRevision(this.reads, namespaceOf(prefix) + streams.organization)) >= 0;
  }

  async #read(): Promise<{ readonly claims: readonly Claim[]; readonly last: number }> {
    const claims: Claim[] = [];
    for (let from = 0; ;) {
      const options = { direction: 'forwards', maxCount: PAGE_EVENTS } as const;
      const page: readonly DriverRecord[] = (await this.reads.streamPage(CLAIMS, from, options)) ?? [];
      for (const { data } of page) if (isClaim(data)) claims.push(data);
      from += page.length;
      if (page.length < PAGE_EVENTS) return { claims, last: from - 1 };
    }
  }

  /** @returns false when another installation has appended a claim meanwhile */
  async #append(data: Claim, last: number): Promise<boolean> {
    const event = {
      id: randomUUID(),
      contentType: 'application/json',
      type: CLAIM_TYPE,
      data,
      metadata: undefined,
    } as const;
    const expectedRevision = last < 0 ? 'no_stream' : BigInt(last);
    try {
      await this.reads.persistently(async () => {
        const { client } = await this.connection.current();
        const options = { expectedRevision, requiresLeader: true, deadline: APPEND_LIMIT_MS } as const;
        await answerWithin(
          APPEND_LIMIT_MS,
          client.appendToStream(CLAIMS, [{ ...event, data: { ...data } }], options),
          () => new NoAnswer(),
        );
      });
      return true;
    } catch (error) {
      if (troubleOf((error as Error).cause) === 'conflict') return false;
      throw error;
    }
  }
}

function isClaim(data: unknown): data is Claim {
  if (typeof data !== 'object' || data === null) return false;
  const { prefix, owner } = data as Partial<Record<keyof Claim, unknown>>;
  return typeof prefix === 'string' && typeof owner === 'string';
}
