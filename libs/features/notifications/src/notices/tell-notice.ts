import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { Clock, forEachInBatches, type JsonObject, type Origin } from '#kernel';
import { type WaitingMessage, WaitingMessages } from '#reading';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { PushFailure, PushReports, PushService } from '#push';
import type { ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import type { Devices } from '../devices/devices.js';
import { DevicesReader } from '../devices/devices.reader.js';
import {
  messagePayload,
  type PayloadContext,
  plainMessagePayload,
  plainRemovalPayload,
  removalPayload,
} from '../push/payloads.js';
import { PushSender, registeredDevices } from '../push/push-sender.js';
import { noticeDecider } from './notice.decider.js';
import type { NoticeDocument } from './notice.projections.js';
import { NoticeQueue } from './notice-queue.js';
import { NoticesReader } from './pushed.reader.js';

/** Requests to the push service at a time, for each notice that is due. */
const CONCURRENT_MAX = 10;
/** After the push service could not be reached, notices wait so long: each attempt could take as long as it times out. */
const SILENCE_MS = 2_000;

/** What a user is to be told. */
interface Telling {
  readonly user: User;
  readonly trigger: string;
}

interface Result {
  readonly told: readonly number[];
  /** Others are still to be told. */
  readonly isLeft: boolean;
  /** Whether this was an attempt: after another notice has failed, none is made for a while. */
  readonly isTried: boolean;
  /** Why the push service has not taken it for others. */
  readonly reason?: string | undefined;
}

interface Payloads {
  readonly encrypted: JsonObject;
  readonly plain: JsonObject;
}

/**
 * Tells the push service of notices that are due. What it may have taken before the process ended is told again under the same
 * key. Users who have read the message meanwhile are left out.
 */
@Injectable()
export class TellNotice implements TimerHandler {
  readonly isExclusive = true;
  /** By the monotonic clock. */
  #silentUntilMs = 0;

  constructor(
    private readonly notices: NoticesReader,
    private readonly waiting: WaitingMessages,
    private readonly devices: DevicesReader,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly sender: PushSender,
    private readonly push: PushService,
    private readonly queue: NoticeQueue,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly reports: PushReports,
  ) {}

  async fire(noticeId: string, pass: ReadSidePass, origin: Origin): Promise<void> {
    // The timer is fired again in a moment.
    if (performance.now() < this.#silentUntilMs) return;
    const notice = await this.notices.get(noticeId);
    if (notice === undefined) return;
    if (notice.kind === 'message') await this.#tellMessage(noticeId, notice, pass, origin);
    else await this.#tellRemoval(noticeId, notice, pass, origin);
  }

  async #tellMessage(
    noticeId: string,
    { left, messageIds }: NoticeDocument,
    pass: ReadSidePass,
    origin: Origin,
  ): Promise<void> {
    const [messageId = 0] = messageIds;
    const found = await this.#waitingAmong(messageId, left);
    const message = found?.message;
    // A message that is not there, or read by all: so it seems as well while the read models are behind.
    await pass.assertValid();
    if (message === undefined) {
      await this.#report(noticeId, { told: [], isLeft: false, isTried: true }, origin);
      return;
    }
    const context = this.#context();
    const result = await this.#tell(`m${messageId}`, found?.tellings ?? [], pass, ({ user, trigger }) => ({
      encrypted: messagePayload(context, user, trigger, message),
      plain: plainMessagePayload(context, user, trigger, message),
    }));
    await this.#report(noticeId, result, origin);
    await this.#withdrawRead(messageId, result.told, pass, origin);
  }

  async #tellRemoval(
    noticeId: string,
    { left, messageIds }: NoticeDocument,
    pass: ReadSidePass,
    origin: Origin,
  ): Promise<void> {
    const context = this.#context();
    const result = await this.#tell(noticeId, this.#tellings(left), pass, ({ user }) => ({
      encrypted: removalPayload(context, user, messageIds),
      plain: plainRemovalPayload(context, user, messageIds),
    }));
    await this.#report(noticeId, result, origin);
  }

  /** A message that was read while it was told is removed again: its reader was not known to be shown it. */
  async #withdrawRead(messageId: number, told: readonly number[], pass: ReadSidePass, origin: Origin): Promise<void> {
    if (told.length === 0) return;
    const waiting = new Set((await this.waiting.waitingFor(messageId, told))?.userIds);
    await pass.assertValid();
    for (const userId of told)
      if (!waiting.has(userId)) await this.queue.removal(userId, `m${messageId}`, [messageId], origin);
  }

  async #waitingAmong(
    messageId: number,
    left: NoticeDocument['left'],
  ): Promise<{ readonly message: WaitingMessage; readonly tellings: readonly Telling[] } | undefined> {
    const found = await this.waiting.waitingFor(
      messageId,
      left.map(({ userId }) => userId),
    );
    if (found === undefined) return undefined;
    const waiting = new Set(found.userIds);
    return { message: found.message, tellings: this.#tellings(left).filter(({ user }) => waiting.has(user.userId)) };
  }

  #tellings(left: NoticeDocument['left']): readonly Telling[] {
    return left.flatMap(({ userId, trigger }) => {
      const user = this.directory.user(userId);
      return user?.isActive === true ? [{ user, trigger }] : [];
    });
  }

  async #tell(
    key: string,
    tellings: readonly Telling[],
    pass: ReadSidePass,
    payloadsFor: (telling: Telling) => Payloads,
  ): Promise<Result> {
    const told: number[] = [];
    let tried = 0;
    let reason: string | undefined;
    await forEachInBatches(CONCURRENT_MAX, tellings, async (telling) => {
      const { userId } = telling.user;
      if (performance.now() < this.#silentUntilMs) return;
      tried++;
      const devices = await this.devices.of(userId);
      // So it seems as well when the read models are put back, and nobody would be told.
      if (devices.tokens.length === 0 && registeredDevices(devices).length === 0) await pass.assertValid();
      const failure = await this.#tellUser(`${key}:${userId}`, devices, payloadsFor(telling), key.startsWith('m'));
      if (failure === undefined) told.push(userId);
      else reason = failure;
    });
    return { told, isLeft: told.length < tellings.length, isTried: tried > 0 || tellings.length === 0, reason };
  }

  /** @returns why the push service has not taken it; undefined when it has */
  async #tellUser(
    key: string,
    devices: Devices,
    { encrypted, plain }: Payloads,
    isUrgent: boolean,
  ): Promise<string | undefined> {
    const { userId } = devices;
    try {
      await this.sender.sendEncrypted(userId, registeredDevices(devices), { key, isUrgent, payload: encrypted });
      await this.sender.sendPlainly(userId, devices.tokens, { key: `${key}:plain`, isUrgent, payload: plain });
      return undefined;
    } catch (error) {
      if (!(error instanceof PushFailure)) throw error;
      this.reports.failed(error);
      if (error.isPassing) this.#silentUntilMs = performance.now() + SILENCE_MS;
      return error.message;
    }
  }

  async #report(noticeId: string, { told, isLeft, isTried, reason }: Result, origin: Origin): Promise<void> {
    // The timer is fired again in a moment.
    if (!isTried) return;
    // Without a push service, which the operator may have taken away, there is no later.
    const isWorthwhile = isLeft && this.push.isConfigured;
    const at = this.clock.nowSeconds();
    const command = { type: 'report-notice', noticeId, told, isLeft: isWorthwhile, reason, at } as const;
    await this.runner.run(noticeDecider, streams.notice(noticeId), command, origin);
  }

  #context(): PayloadContext {
    return { directory: this.directory, siteUrl: this.site.url };
  }
}
