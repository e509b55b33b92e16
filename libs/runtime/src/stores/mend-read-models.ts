import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#http';
import { type EmbeddedReadStores, type ProjectionEngine, ReadStoreDamaged } from '#read-store';

/** Enough for tens of thousands of documents; a start takes that much longer at most. */
const VERIFY_FIRST_MS = 300;

interface Mended {
  readonly files: Pick<EmbeddedReadStores['files'], 'onDamage' | 'verify' | 'markDamaged'>;
}

/**
 * Rebuilds damaged read models while the server runs: the collection of a damaged document beside the live one, once. Anything
 * else is rebuilt by a new start of the server.
 */
export class MendReadModels {
  readonly #mended = new Set<string>();
  readonly #ending = new AbortController();
  #isOver = false;

  /** @param restart is called once, when the whole file must be built again; the next start does so */
  constructor(
    private readonly reads: Mended,
    private readonly engine: Pick<ProjectionEngine, 'mend' | 'status'>,
    private readonly logger: Pick<Logger, 'error'>,
    private readonly restart: (damage: ReadStoreDamaged) => void,
  ) {}

  /**
   * Verifies the files, for a moment before anything is served, and then in the background.
   * @throws ReadStoreDamaged found in that moment
   */
  async start(): Promise<void> {
    const { files } = this.reads;
    const metByCommits: ReadStoreDamaged[] = [];
    files.onDamage = (damage) => metByCommits.push(damage);
    const verified = files.verify(VERIFY_FIRST_MS, this.#ending.signal);
    await Promise.race([verified, pause(VERIFY_FIRST_MS)]);
    files.onDamage = (damage) => void this.#mend(damage);
    for (const damage of metByCommits) void this.#mend(damage);
    verified.catch((error: unknown) => {
      // Damage is reported by itself.
      if (!(error instanceof ReadStoreDamaged) && !this.#isOver)
        this.logger.error({ err: error }, 'Read models cannot be verified.');
    });
  }

  stop(): void {
    this.#isOver = true;
    this.#ending.abort();
  }

  async #mend(damage: ReadStoreDamaged): Promise<void> {
    const { collection } = damage;
    if (this.#isOver || (collection !== undefined && this.#mended.has(collection) && this.#isRebuilding(collection)))
      return;
    this.logger.error({ err: damage }, 'Read models are damaged. They are rebuilt from the log.');
    if (collection !== undefined && !this.#mended.has(collection)) {
      this.#mended.add(collection);
      const isMended = await this.engine.mend(collection).catch(() => false);
      if (isMended && this.engine.status().state !== 'stopped') return;
    }
    this.#giveUp(damage);
  }

  #isRebuilding(collection: string): boolean {
    return this.engine.status().rebuilds.some(({ name }) => name === collection);
  }

  #giveUp(damage: ReadStoreDamaged): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.reads.files.markDamaged();
    this.restart(damage);
  }
}
