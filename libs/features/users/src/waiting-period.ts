import { Injectable } from '@nestjs/common';
import { CommandRunner } from '#event-store';
import { BY_SERVER, Clock } from '#kernel';
import { Directory } from '#people';
import type { GatedWork } from '#read-store';
import { usersPart } from './model/users.part.js';
import { waitingOver } from './model/waiting.js';

/** Days end at any second; a minute's delay is no matter. */
const LOOK_EVERY_MS = 60_000;

/**
 * Records when members become full members by time alone (`waiting_period_threshold`). Every api does so: of several that try
 * at the same time, one appends, and the others find nothing left to record.
 */
@Injectable()
export class WaitingPeriod implements GatedWork {
  readonly name = 'waiting-period';
  readonly complaint = 'New full members cannot be recorded at the moment.';
  readonly everyMs = LOOK_EVERY_MS;
  readonly isDue = true;

  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /** Records whose waiting is over by now. */
  async turn(): Promise<void> {
    const at = this.clock.nowSeconds();
    const isOver = (directory: Directory) =>
      waitingOver(directory.of(usersPart), directory.settings.waiting_period_threshold, at);
    if (this.directory.waitingUserIds.size === 0 || isOver(this.directory).length === 0) return;
    await this.runner.runOn(this.directory, (directory) => ({ events: isOver(directory) }), BY_SERVER);
  }
}
