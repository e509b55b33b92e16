import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type BlobRef, BlobStore } from '#blob-store';
import { CommandRunner, streams } from '#event-store';
import { Clock, type Origin } from '#kernel';
import { ArchivedMessages } from '#reading';
import { Directory } from '#people';
import type { User } from '#users/model';
import { HeldLease, ReadSideGate, type ReadSidePass, ReadStore } from '#read-store';
import type { TimerHandler } from '#timers';
import { makeArchive } from '../documents/make-archive.js';
import { hasConsented } from '../list-exports.js';
import { exportRunDecider, LEASE_SECONDS } from '../requests/export-run.decider.js';
import type { ExportOutcome } from '../requests/exports.commands.js';
import { decideOutcome } from '../requests/exports.decider.js';
import { ExportSurroundings } from './export-surroundings.js';
import { EXPORTS_SPACE } from '../requests/exports-space.js';
import type { Export } from '../model/exports.js';
import { exportsPart } from '../model/exports.part.js';

/** Archives that no export names any more are removed after a day: an upload may take hours. */
const ORPHAN_AGE_MS = 86_400_000;

/** An attempt to make an archive. */
interface Run {
  readonly exportId: number;
  readonly id: string;
  readonly origin: Origin;
  done: number;
  total: number;
}

/** Makes archives in the background, one at a time in each process. */
@Injectable()
export class MakeExport implements TimerHandler, OnModuleDestroy {
  readonly #ending = new AbortController();
  /** Set before anything is awaited: exports that are due together would all begin. */
  #isBusy = false;
  #current: Promise<void> | undefined;
  /** Why the last attempt of this process failed, by export. At most five exports are made in a week. */
  readonly #failures = new Map<number, string>();

  constructor(
    private readonly directory: Directory,
    private readonly readStore: ReadStore,
    private readonly blobs: BlobStore,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly surroundings: ExportSurroundings,
    private readonly gate: ReadSideGate,
  ) {}

  /** Why the last attempt of this process at an export failed. */
  failureOf(exportId: number): string | undefined {
    return this.#failures.get(exportId);
  }

  async onModuleDestroy(): Promise<void> {
    this.#ending.abort();
    await this.#current;
  }

  /** Begins to make the archive, when no process is at it. */
  async fire(subject: string, _pass: ReadSidePass, origin: Origin): Promise<void> {
    if (this.#isBusy || this.#ending.signal.aborted) return;
    const exportId = Number(subject);
    const found = this.directory.of(exportsPart).find((one) => one.exportId === exportId);
    if (found?.phase !== 'pending') return;
    const run: Run = { exportId, id: randomUUID(), origin, done: 0, total: 0 };
    this.#isBusy = true;
    const begun = this.#begin(run);
    this.#current = begun
      .then((isOurs) => (isOurs ? this.#make(found, run) : undefined))
      // The caller gets it.
      .catch(() => undefined)
      .finally(() => (this.#isBusy = false));
    await begun;
  }

  /** @returns whether the archive is to be made here */
  async #begin(run: Run): Promise<boolean> {
    const [begun] = (await this.#step('begin', run)).events;
    if (begun?.type === 'export.given-up.v1') await this.#record(run, { type: 'fail' });
    return begun?.type === 'export.running.v1';
  }

  async #make(asked: Export, run: Run): Promise<void> {
    const held = this.#leaseOf(run);
    const signal = AbortSignal.any([this.#ending.signal, held.lost]);
    try {
      const { hash, size } = await this.#archive(asked, run, signal);
      signal.throwIfAborted();
      await this.#record(run, { type: 'finish', hash, bytes: size });
      await this.#removeOrphans();
    } catch (error) {
      // The lease runs out, and another attempt begins.
      if (!signal.aborted) {
        this.#failures.set(asked.exportId, error instanceof Error ? error.message : String(error));
        this.surroundings.onFailure(error);
      }
    } finally {
      await held.release();
    }
  }

  async #archive({ exportId, kind }: Export, run: Run, signal: AbortSignal): Promise<BlobRef> {
    const { directory } = this;
    const people = kind === 'public' ? [] : [...directory.users()].filter((user) => mayBeExported(directory, user));
    const messages = await ArchivedMessages.open(directory, this.readStore);
    const archive = await makeArchive(
      { directory, messages },
      {
        kind,
        people,
        folder: join(this.surroundings.folder, String(exportId)),
        name: `${directory.organization.uuid}/${exportId}`,
        nowMs: this.clock.nowMs(),
        signal,
        enter: () => this.gate.enter(),
        onProgress: (done, total) => {
          [run.done, run.total] = [done, total];
        },
      },
    );
    signal.addEventListener('abort', () => archive.content.destroy(new Error('The export was stopped.')), {
      once: true,
    });
    const blob = await this.blobs.space(EXPORTS_SPACE).put(archive.content);
    await archive.remove();
    return blob;
  }

  /** Another process may begin when this one could not renew it in time. It ends with its time, or with the export. */
  #leaseOf(run: Run): HeldLease {
    const keeper = {
      renew: async () => (await this.#step('go-on', run)).events.length > 0,
      release: () => Promise.resolve(),
    };
    const lease = { name: `export ${run.exportId}`, holder: run.id, term: 0 };
    return new HeldLease(keeper, lease, LEASE_SECONDS * 1000, this.surroundings.onFailure);
  }

  #step(type: 'begin' | 'go-on', run: Run) {
    const { exportId, id, done, total } = run;
    const command = { type, exportId, run: id, done, total, at: this.clock.nowSeconds() } as const;
    return this.runner.run(exportRunDecider, streams.exportRun(exportId), command, run.origin);
  }

  async #record({ exportId, origin }: Run, outcome: ExportOutcome): Promise<void> {
    const at = this.clock.nowSeconds();
    const decide = (directory: Directory) => ({
      events: decideOutcome(directory.of(exportsPart), exportId, outcome, at),
    });
    await this.runner.runOn(this.directory, decide, origin);
  }

  /** Archives of exports that were deleted while their content could not be. */
  async #removeOrphans(): Promise<void> {
    const pass = await this.gate.enter({ removes: true });
    const space = this.blobs.space(EXPORTS_SPACE);
    const before = this.clock.nowMs() - ORPHAN_AGE_MS;
    const named = new Set(
      this.directory.of(exportsPart).flatMap(({ phase, archive }) => (phase === 'ready' ? (archive?.hash ?? []) : [])),
    );
    for await (const { hash, storedAtMs } of space.list())
      if (!named.has(hash) && storedAtMs < before) {
        await pass.assertValid();
        await space.remove(hash, before);
      }
  }
}

/** People who allow exports of what only they may read, as long as they are members. */
function mayBeExported(directory: Directory, { userId, isActive, botType }: User): boolean {
  return isActive && botType === null && hasConsented(directory, userId);
}
