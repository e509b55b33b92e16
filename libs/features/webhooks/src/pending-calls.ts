import { Injectable } from '@nestjs/common';
import { EventStore, type RecordedEvent, streams } from '#event-store';
import { Decisions, inStream, sinceFirst, TimedWork, type Work } from '#feature';
import type { OmitEach, Origin } from '#kernel';
import { Directory } from '#people';
import { DueTimers } from '#timers';
import type { WebhookCommand } from './webhook.commands.js';
import { webhookDecider } from './webhook.decider.js';
import { partsOf } from './webhook.timers.js';

/** Calls of the services of bots that have not been answered, and are not given up. */
@Injectable()
export class PendingCalls extends TimedWork {
  override readonly kind = 'webhook';

  constructor(
    due: DueTimers,
    store: EventStore,
    private readonly decisions: Decisions,
    private readonly directory: Directory,
  ) {
    super('webhook', due, store);
  }

  override retry(callId: string, origin: Origin): Promise<boolean> {
    return this.#run(callId, { type: 'hasten-call' }, origin);
  }

  /** The owner of the bot is told the reason. */
  override async drop(callId: string, reason: string, origin: Origin): Promise<boolean> {
    // The stream of a call is empty until its first attempt, and that of any other text as well.
    if ((await this.find(callId)) === undefined) return false;
    return this.#run(callId, { type: 'drop-call', reason }, origin);
  }

  protected override streamOf(callId: string): string {
    return streams.webhook(callId);
  }

  protected override async work(callId: string, events: readonly RecordedEvent[]): Promise<Work> {
    const { messageId, botId } = partsOf(callId);
    const [sent] = await this.store.readStream(streams.messages, { from: messageId - 1, limit: 1 });
    const since = sinceFirst(sent === undefined ? events : [sent]);
    return { what: `message ${messageId}, bot ${this.directory.user(botId)?.fullName ?? botId}`, since };
  }

  async #run(callId: string, asked: OmitEach<WebhookCommand, 'callId' | 'at'>, origin: Origin): Promise<boolean> {
    const make = (at: number): WebhookCommand => ({ callId, at, ...asked });
    const decision = inStream(webhookDecider, streams.webhook(callId), make);
    return this.decisions.carryThrough(
      decision.answering(({ events }) => events.length > 0),
      origin,
    );
  }
}
