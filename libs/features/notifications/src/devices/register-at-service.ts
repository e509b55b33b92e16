import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { PendingReports } from '#feature';
import { Clock, type Origin } from '#kernel';
import { Directory } from '#people';
import { PushFailure, PushService } from '#push';
import type { ReadSidePass } from '#read-store';
import type { TimerHandler } from '#timers';
import type { RegistrationOutcome } from './device.commands.js';
import { devicesDecider } from './devices.decider.js';
import { type Registration, registrationOf } from './devices.js';
import { aboutOf, registrationTimers } from './devices.projection.js';
import { DevicesReader } from './devices.reader.js';

/** Registers devices at the push service, which knows a repeated registration. */
@Injectable()
export class RegisterAtService implements TimerHandler {
  readonly isExclusive = true;

  constructor(
    private readonly reader: DevicesReader,
    private readonly directory: Directory,
    private readonly push: PushService,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly failures: PendingReports,
  ) {}

  async fire(subject: string, _pass: ReadSidePass, origin: Origin): Promise<void> {
    const { userId, target } = aboutOf(subject);
    const registration = registrationOf(await this.reader.of(userId), target);
    if (registration?.phase !== 'pending') return;
    const outcome = await this.#attempt(target.id, registration);
    const at = this.clock.nowSeconds();
    const { serial } = registration;
    const command = { type: 'finish-registration', userId, at, target, serial, outcome } as const;
    await this.runner.run(devicesDecider, streams.devices(userId), command, origin);
  }

  async #attempt(pushAccountId: number, registration: Registration): Promise<RegistrationOutcome> {
    const { bouncerPublicKey, encryptedRegistration } = registration;
    const realmUuid = this.directory.organization.uuid;
    const asked = { realmUuid, pushAccountId, bouncerPublicKey, encryptedRegistration };
    try {
      return { kind: 'registered', remoteId: await this.push.register(asked) };
    } catch (error) {
      if (!(error instanceof PushFailure)) throw error;
      if (!error.isPassing) return { kind: 'never', code: error.code ?? 'BAD_REQUEST' };
      const { message: reason } = error;
      this.failures.failed({ kind: registrationTimers.kind, target: 'the push service', reason });
      return { kind: 'later', code: codeOf(error), reason };
    }
  }
}

/** Error code for clients of a failure that may pass. */
export function codeOf({ kind }: PushFailure): 'FAILED_TO_CONNECT_BOUNCER' | 'INTERNAL_SERVER_ERROR_ON_BOUNCER' {
  return kind === 'fault' ? 'INTERNAL_SERVER_ERROR_ON_BOUNCER' : 'FAILED_TO_CONNECT_BOUNCER';
}
