import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { botsPart } from '#bots/model';
import { streams } from '#event-store';
import { Decisions, inStream, PendingReports } from '#feature';
import { Clock, type OmitEach, type Origin, Refusal, ServiceReports } from '#kernel';
import { ExtraEmojiType } from '#pictures/model';
import { GetMessageQuery } from '#reading';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import type { ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import { welcomeBotAnswer } from '#users';
import { outcomeOf } from './answer.js';
import { CallFailure, post } from './http-client/post.js';
import { type CallingMessage, payloadOf } from './payload.js';
import type { CallOutcome, WebhookCommand } from './webhook.commands.js';
import { pauseAfter, webhookDecider } from './webhook.decider.js';
import { partsOf } from './webhook.timers.js';
import { WebhookSettings } from './webhook-settings.js';

/** Calls under way at the same time, of one bot and of all. A service that stalls must not keep others waiting. */
const CALLS_OF_BOT_MAX = 4;
const CALLS_MAX = 64;
/** Between the end of a call and the time at which another process takes it for lost. */
const MARGIN_SECONDS = 10;

type Asked = OmitEach<WebhookCommand, 'callId' | 'at'>;

/**
 * Calls the services of outgoing webhook bots when they are due. A call is claimed by an event, and then made beside everything
 * else; what becomes of it is another event, which entails what the bot says. A call whose process has ended is made again.
 */
@Injectable()
export class CallService implements TimerHandler, OnModuleDestroy {
  /** Calls under way, by bot. */
  readonly #underWay = new Map<number, Set<Promise<void>>>();
  readonly #ending = new AbortController();

  constructor(
    private readonly directory: Directory,
    private readonly settings: WebhookSettings,
    private readonly site: Site,
    private readonly queries: QueryBus,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
    private readonly extraEmojiType: ExtraEmojiType,
    private readonly reports: ServiceReports,
    private readonly failures: PendingReports,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.#ending.abort();
    await Promise.all([...this.#underWay.values()].flatMap((calls) => [...calls]));
  }

  /** Claims a call, and makes it beside everything else. */
  async fire(callId: string, pass: ReadSidePass, origin: Origin): Promise<void> {
    if (this.#ending.signal.aborted) return;
    const { messageId, botId } = partsOf(callId);
    const bot = this.directory.user(botId);
    const calling = bot?.isActive === true ? await this.#read(bot, messageId) : undefined;
    // The message looks gone as well while the read models are behind.
    await pass.assertValid();
    if (bot === undefined || calling === undefined) {
      // Nobody is to be told of a message that is gone.
      await this.#drop(callId, origin);
      return;
    }
    const sentAt = Number(calling.message['timestamp']);
    if (this.#isBusy(botId)) {
      await this.#run(callId, { type: 'postpone-call', sentAt }, origin);
      return;
    }
    const claim = this.#begin(callId, sentAt, origin);
    const call = claim
      .then((attempt) => (attempt === undefined ? undefined : this.#make(callId, attempt, bot, calling, origin)))
      // Its timer is still set: the call is made again.
      .catch((error: unknown) => this.reports.failed('outgoing webhook', error))
      .finally(() => this.#underWay.get(botId)?.delete(call));
    // Before anything is awaited: calls that are claimed side by side count as well.
    this.#underWay.set(botId, (this.#underWay.get(botId) ?? new Set()).add(call));
    await claim;
  }

  async #make(callId: string, attempt: number, bot: User, calling: CallingMessage, origin: Origin): Promise<void> {
    const outcome = await this.#call(bot, calling);
    if (outcome === undefined) return;
    if (outcome.kind !== 'answered') {
      const isGivenUp = pauseAfter(attempt, outcome) === undefined;
      this.failures.failed({ kind: 'webhook', target: this.#targetOf(bot), reason: outcome.reason, isGivenUp });
    }
    await this.#run(callId, { type: 'end-call', attempt, outcome }, origin);
  }

  /** Host of the service: its path may have a secret. */
  #targetOf({ userId }: User): string {
    const { service } = this.directory.of(botsPart).get(userId);
    return service === undefined ? `bot ${userId}` : new URL(service.url).host;
  }

  /** @returns the number of the attempt; undefined when another process has it, or it is given up */
  async #begin(callId: string, sentAt: number, origin: Origin): Promise<number | undefined> {
    const seconds = this.settings.timeoutSeconds + MARGIN_SECONDS;
    return this.#run(callId, { type: 'begin-call', seconds, sentAt }, origin);
  }

  async #drop(callId: string, origin: Origin): Promise<void> {
    const attempt = await this.#begin(callId, this.clock.nowSeconds(), origin);
    const outcome = { kind: 'answered' } as const;
    if (attempt !== undefined) await this.#run(callId, { type: 'end-call', attempt, outcome }, origin);
  }

  #isBusy(botId: number): boolean {
    let all = 0;
    for (const calls of this.#underWay.values()) all += calls.size;
    return all >= CALLS_MAX || (this.#underWay.get(botId)?.size ?? 0) >= CALLS_OF_BOT_MAX;
  }

  /** @returns undefined when this process ends before the answer */
  async #call(bot: User, calling: CallingMessage): Promise<CallOutcome | undefined> {
    if (bot.systemBot === 'welcome') return { kind: 'answered', reply: welcomeBotAnswer(calling.content) };
    const { service } = this.directory.of(botsPart).get(bot.userId);
    if (service === undefined) return { kind: 'answered' };
    const payload = payloadOf(bot, service, calling, this.site.url);
    if (payload === undefined) return { kind: 'never', reason: "Slack's form of calls has no direct messages." };
    const signal = AbortSignal.any([this.#ending.signal, AbortSignal.timeout(this.settings.timeoutSeconds * 1000)]);
    try {
      const answer = await post(this.settings.rules, { url: new URL(service.url), ...payload, signal });
      // The service of a former owner must not speak with the rights of the next one.
      if (this.directory.of(botsPart).get(bot.userId).service?.token !== service.token) return { kind: 'answered' };
      return outcomeOf(service, answer, this.reports);
    } catch (error) {
      if (this.#ending.signal.aborted) return undefined;
      if (!(error instanceof CallFailure)) throw error;
      return { kind: error.isFinal ? 'never' : 'later', reason: error.message };
    }
  }

  /** The message as the bot may read it now; undefined when it may not, or the message is gone. */
  async #read(bot: User, messageId: number): Promise<CallingMessage | undefined> {
    const options = {
      applyMarkdown: true,
      clientGravatar: false,
      allowEmptyTopicName: false,
      extraEmojiType: this.extraEmojiType,
    };
    try {
      const { message, raw_content } = await this.queries.execute(new GetMessageQuery(bot, messageId, options));
      return { message, content: raw_content };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'BAD_REQUEST') return undefined;
      throw error;
    }
  }

  /** @returns how many attempts have begun when this one has */
  async #run(callId: string, asked: Asked, origin: Origin): Promise<number | undefined> {
    const command = { callId, at: this.clock.nowSeconds(), ...asked } as WebhookCommand;
    const decision = inStream(webhookDecider, streams.webhook(callId), () => command).answering(({ events }) => events);
    const events = await this.decisions.carryThrough(decision, origin);
    const begun = events.find(({ type }) => type === 'webhook.calling.v1');
    return begun?.type === 'webhook.calling.v1' ? begun.data.attempt : undefined;
  }
}
