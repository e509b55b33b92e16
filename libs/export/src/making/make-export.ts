import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type BlobRef, BlobStore } from '#blob-store';
import { CommandRunner, streams } from '#event-store';
import { Clock } from '#kernel';
import { ArchivedMessages } from '#messages';
import { Directory, type Export, type User } from '#organization';
import { ReadStore } from '#read-store';
import { type TimerHandler, Timers } from '#timers';
import { makeArchive } from '../documents/make-archive.js';
import { hasConsented } from '../list-exports.js';
import { exportRunDecider } from '../requests/export-run.decider.js';
import { exportTimers } from '../requests/export.timers.js';
import type { ExportOutcome } from '../requests/exports.commands.js';
import { decideOutcome } from '../requests/exports.decider.js';
import { ExportSurroundings } from './export-surroundings.js';
import { EXPORTS_SPACE } from './exports-space.js';

/** The lease is renewed well before it ends. */
const RENEWED_EVERY_MS = 8_000;
/** Archives that no export names any more are removed after a day: an upload may take hours. */
const ORPHAN_AGE_MS = 86_400_000;

/** An attempt to make an archive. */
interface Run {
  readonly exportId: number;
  readonly id: string;
  readonly ending: AbortController;
  done: number;
  total: number;
}

/** Makes archives in the background, one at a time in each process. */
@Injectable()
export class MakeExport implements TimerHandler, OnModuleDestroy {
  readonly kind = exportTimers.kind;
  readonly #ending = new AbortController();
  #current: Promise<void> | undefined;

  constructor(
    private readonly directory: Directory,
    private readonly readStore: ReadStore,
    private readonly blobs: BlobStore,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly surroundings: ExportSurroundings,
    timers: Timers,
  ) {
    timers.add(this);
  }

  async onModuleDestroy(): Promise<void> {
    this.#ending.abort();
    await this.#current;
  }

  /** Begins to make the archive, when no process is at it. */
  async fire(subject: string): Promise<void> {
    if (this.#current !== undefined || this.#ending.signal.aborted) return;
    const exportId = Number(subject);
    const found = this.directory.exports.find((one) => one.exportId === exportId);
    if (found?.phase !== 'pending') return;
    const run: Run = { exportId, id: randomUUID(), ending: new AbortController(), done: 0, total: 0 };
    const [begun] = (await this.#step('begin', run)).events;
    if (begun?.type === 'export.running.v1') {
      this.#current = this.#make(found, run).finally(() => (this.#current = undefined));
    } else if (begun?.type === 'export.given-up.v1') {
      await this.#record(exportId, { type: 'fail' });
    }
  }

  async #make(asked: Export, run: Run): Promise<void> {
    const renewal = setInterval(() => {
      this.#renew(run).catch(this.surroundings.onFailure);
    }, RENEWED_EVERY_MS).unref();
    const signal = AbortSignal.any([this.#ending.signal, run.ending.signal]);
    try {
      const { hash, size } = await this.#archive(asked, run, signal);
      await this.#record(asked.exportId, { type: 'finish', hash, bytes: size });
      await this.#removeOrphans();
    } catch (error) {
      // The lease runs out, and another attempt begins.
      if (!signal.aborted) this.surroundings.onFailure(error);
    } finally {
      clearInterval(renewal);
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

  /** Another process may have begun, when this one could not renew the lease in time. */
  async #renew(run: Run): Promise<void> {
    const { events } = await this.#step('go-on', run);
    if (events.length === 0) run.ending.abort();
  }

  #step(type: 'begin' | 'go-on', { exportId, id, done, total }: Run) {
    const command = { type, exportId, run: id, done, total, at: this.clock.nowSeconds() } as const;
    return this.runner.run(exportRunDecider, streams.exportRun(exportId), command);
  }

  async #record(exportId: number, outcome: ExportOutcome): Promise<void> {
    const at = this.clock.nowSeconds();
    await this.runner.runOn(this.directory, (directory) => ({
      events: decideOutcome(directory, exportId, outcome, at),
    }));
  }

  /** Archives of exports that were deleted while their content could not be. */
  async #removeOrphans(): Promise<void> {
    const space = this.blobs.space(EXPORTS_SPACE);
    const before = this.clock.nowMs() - ORPHAN_AGE_MS;
    const named = new Set(
      this.directory.exports.flatMap(({ phase, archive }) => (phase === 'ready' ? (archive?.hash ?? []) : [])),
    );
    for await (const { hash, storedAtMs } of space.list())
      if (!named.has(hash) && storedAtMs < before) await space.remove(hash, before);
  }
}

/** People who allow exports of what only they may read, as long as they are members. */
function mayBeExported(directory: Directory, { userId, isActive, botType }: User): boolean {
  return isActive && botType === null && hasConsented(directory, userId);
}
