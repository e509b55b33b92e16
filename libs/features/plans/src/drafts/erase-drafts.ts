import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import type { FollowUp, Trigger } from '#follow-ups';
import { causedBy, Clock } from '#kernel';
import type { PreferencesEvent } from '#preferences/model';
import { draftsDecider } from './drafts.decider.js';

type SettingsChanged = Extract<PreferencesEvent, { type: 'user-settings.changed.v1' }>;

/**
 * Erases a user's drafts when they turn synchronization off (endpoints.md §6), and again when they turn it on: a request that
 * was in progress when synchronization was turned off may have stored a draft afterwards.
 */
@Injectable()
export class EraseDrafts implements FollowUp<SettingsChanged['data']> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  async carryOut({ key, data: { userId, at: addedUntil } }: Trigger<SettingsChanged['data']>): Promise<void> {
    const command = { type: 'erase-drafts', userId, at: this.clock.nowSeconds(), addedUntil } as const;
    await this.runner.run(draftsDecider, streams.plans(userId), command, causedBy({ key }));
  }
}
