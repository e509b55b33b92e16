import { Injectable } from '@nestjs/common';
import { CommandRunner, EventStore, type RecordedEvent, streams } from '#event-store';
import { type Attempts, TimedWork, type Work } from '#feature';
import { badRequest, Clock, type Origin } from '#kernel';
import { Directory } from '#people';
import { QuietServer } from '#realm/model';
import { DueTimers } from '#timers';
import { exportsPart } from '../model/exports.part.js';
import { LEASE_SECONDS } from '../requests/export-run.decider.js';
import type { ExportRunning } from '../requests/export-run.events.js';
import { decideOutcome } from '../requests/exports.decider.js';
import { MakeExport } from './make-export.js';

/** Archives that are to be made. */
@Injectable()
export class PendingExports extends TimedWork {
  override readonly kind = 'export';

  constructor(
    due: DueTimers,
    store: EventStore,
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly clock: Clock,
    private readonly making: MakeExport,
    private readonly server: QuietServer,
  ) {
    super('export', due, store);
  }

  /** @throws Refusal BAD_REQUEST: whether a process is at it is known when its lease has run out, and then another one begins */
  override async retry(exportId: string): Promise<boolean> {
    if ((await this.find(exportId)) === undefined) return false;
    if (this.server.isQuiet) throw badRequest('An archive waits for a start without QUIET and READ_ONLY.');
    throw badRequest(`An archive is being made, or is tried again within ${LEASE_SECONDS} seconds.`);
  }

  override async drop(exportId: string, reason: string, origin: Origin): Promise<boolean> {
    const { events } = await this.runner.runOn(
      this.directory,
      (now) => ({
        events: decideOutcome(now.of(exportsPart), Number(exportId), { type: 'fail', reason }, this.clock.nowSeconds()),
      }),
      origin,
    );
    return events.length > 0;
  }

  protected override streamOf(exportId: string): string {
    return streams.exportRun(Number(exportId));
  }

  protected override work(id: string): Work {
    const found = this.directory.of(exportsPart).find(({ exportId }) => exportId === Number(id));
    return { what: `${found?.kind ?? ''} archive`, since: found?.requestedAt ?? 0 };
  }

  /** An attempt has an identity of its own, and records how far it is. */
  protected override attempts(id: string, events: readonly RecordedEvent[]): Attempts {
    const runs = new Set(events.map(({ data }) => (data as Partial<ExportRunning['data']>).run));
    return { attempts: Math.max(runs.size - 1, 0), reason: this.making.failureOf(Number(id)) ?? null };
  }
}
