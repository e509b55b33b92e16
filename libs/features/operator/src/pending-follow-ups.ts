import { Injectable } from '@nestjs/common';
import type { PendingItem, PendingSource, PendingStep } from '#feature';
import type { Origin } from '#kernel';
import { FollowUps, type OpenFollowUp } from '#follow-ups';

export const FOLLOW_UP = 'follow-up';

/** Follow-ups that are open. Their failures are those of the process that answers, since its start. */
@Injectable()
export class PendingFollowUps implements PendingSource {
  readonly kind = FOLLOW_UP;

  constructor(private readonly followUps: FollowUps) {}

  async list(limit: number): Promise<readonly PendingItem[]> {
    return (await this.followUps.list(limit)).map(itemOf);
  }

  async find(id: string): Promise<PendingItem | undefined> {
    const found = await this.followUps.find(id);
    return found && itemOf(found);
  }

  /** Attempts are not recorded: they may be many. */
  history(): Promise<readonly PendingStep[]> {
    return Promise.resolve([]);
  }

  retry(id: string): Promise<boolean> {
    return this.followUps.retry(id);
  }

  drop(id: string, reason: string, origin: Origin): Promise<boolean> {
    return this.followUps.drop(id, reason, origin);
  }
}

function itemOf({ key, type, ...rest }: OpenFollowUp): PendingItem {
  return { id: key, what: type, ...rest };
}
