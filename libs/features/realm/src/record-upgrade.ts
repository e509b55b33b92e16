import { Injectable } from '@nestjs/common';
import { CommandRunner } from '#event-store';
import { BY_SERVER, Clock } from '#kernel';
import { Directory } from '#people';
import { decideUpgrade, firstRelease } from './model/server/server-version.js';

/** Records at the start that another version of the server runs than before, so that clients whose queues survived are told. */
@Injectable()
export class RecordUpgrade {
  constructor(
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async record(): Promise<void> {
    const at = this.clock.nowSeconds();
    const decide = ({ organization: { createdAt, release = firstRelease(createdAt) } }: Directory) =>
      decideUpgrade(release, at);
    if (decide(this.directory).length === 0) return;
    await this.runner.runOn(this.directory, (directory) => ({ events: decide(directory) }), BY_SERVER);
  }
}
