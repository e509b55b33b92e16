import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { BY_SERVER, Clock, type JsonObject } from '#kernel';
import { Directory } from '#people';
import { type EncryptedPush, type PlainPush, PushService, type UnknownDevices } from '#push';
import type { PushKey } from '../devices/device.events.js';
import { devicesDecider } from '../devices/devices.decider.js';
import type { Devices, PushToken, Registration } from '../devices/devices.js';
import { encrypted } from './encryption.js';

/** A device that is registered at the push service. */
export interface RegisteredDevice {
  /** Null for a client device. */
  readonly pushAccountId: number | null;
  readonly deviceId: number | null;
  readonly registration: Registration;
  readonly key: PushKey;
}

export interface Notice {
  /** Key of the notice: a device shows notifications with the same key once. */
  readonly key: string;
  readonly isUrgent: boolean;
  readonly payload: JsonObject;
}

/** Sends notifications to a user's devices, and forgets devices that do not exist any more. */
@Injectable()
export class PushSender {
  constructor(
    private readonly push: PushService,
    private readonly directory: Directory,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /** @throws PushFailure */
  async sendEncrypted(userId: number, devices: readonly RegisteredDevice[], notice: Notice): Promise<void> {
    if (devices.length === 0) return;
    const pushes = await Promise.all(devices.map((device) => pushTo(device, notice)));
    const { uuid } = this.directory.organization;
    await this.#forget(userId, await this.push.notify(notice.key, uuid, pushes));
  }

  /** @throws PushFailure */
  async sendPlainly(userId: number, tokens: readonly PushToken[], notice: Notice): Promise<void> {
    if (tokens.length === 0) return;
    const { isUrgent, payload } = notice;
    const push: PlainPush = {
      userId,
      isUrgent,
      payload,
      appleTokens: tokens.flatMap(({ kind, token, appId }) => (kind === 'apns' ? [{ token, appId: appId ?? '' }] : [])),
      googleTokens: tokens.flatMap(({ kind, token }) => (kind === 'fcm' ? [token] : [])),
    };
    const { uuid } = this.directory.organization;
    await this.#forget(userId, await this.push.notifyPlainly(notice.key, uuid, push));
  }

  async #forget(userId: number, { remoteIds, tokens }: UnknownDevices): Promise<void> {
    if (remoteIds.length + tokens.length === 0) return;
    const command = { type: 'forget', userId, at: this.clock.nowSeconds(), remoteIds, tokens } as const;
    await this.runner.run(devicesDecider, streams.devices(userId), command, BY_SERVER);
  }
}

/** The devices that the push service knows. */
export function registeredDevices({ accounts, devices }: Devices): readonly RegisteredDevice[] {
  return [
    ...accounts.map(({ pushAccountId, key, registration }) => ({ pushAccountId, deviceId: null, key, registration })),
    ...devices.flatMap(({ deviceId, key, active }) =>
      key === null || active === null ? [] : [{ pushAccountId: null, deviceId, key, registration: active }],
    ),
  ].filter(({ registration }) => registration.phase === 'active' && registration.remoteId !== undefined);
}

async function pushTo(device: RegisteredDevice, { isUrgent, payload }: Notice): Promise<EncryptedPush> {
  const { pushAccountId, deviceId, key, registration } = device;
  const { remoteId = 0, tokenKind } = registration;
  const encryptedData = await encrypted(key, payload);
  return { remoteId, tokenKind, isUrgent, pushAccountId: pushAccountId ?? deviceId ?? 0, encryptedData };
}
