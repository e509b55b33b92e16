import { randomUUID } from 'node:crypto';
import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { badRequest, Clock, type JsonObject, Refusal } from '#kernel';
import { Directory } from '#people';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { PushFailure, PushService } from '#push';
import { type Notice, PushSender, registeredDevices } from '../push/push-sender.js';
import { pushNotConfigured } from './change-devices.js';
import { DevicesReader } from './devices.reader.js';
import { codeOf } from './register-at-service.js';

/** Sends a test notification to the caller's registered devices, and waits for the answer of the push service. */
export class TestNotificationCommand extends Command<void> {
  constructor(
    readonly actor: User,
    /** All devices when undefined. */
    readonly pushAccountId: number | undefined,
  ) {
    super();
  }
}

/** Sends a test notification to devices that registered by their tokens. */
export class TestPlainNotificationCommand extends Command<void> {
  constructor(
    readonly actor: User,
    /** All devices when undefined. */
    readonly token: string | undefined,
  ) {
    super();
  }
}

/**
 * @throws Refusal NO_ACTIVE_PUSH_DEVICE, ADMIN_ACTION_REQUIRED, FAILED_TO_CONNECT_BOUNCER, INTERNAL_SERVER_ERROR_ON_BOUNCER
 */
export const testNotification = command(
  TestNotificationCommand,
  { reader: DevicesReader, sender: PushSender, directory: Directory, site: Site, clock: Clock },
  async ({ actor, pushAccountId }, { reader, sender, directory, site, clock }) => {
    assertPerson(actor);
    const devices = registeredDevices(await reader.of(actor.userId)).filter(
      (device) => pushAccountId === undefined || device.pushAccountId === pushAccountId,
    );
    if (devices.length === 0) throw new Refusal('NO_ACTIVE_PUSH_DEVICE', 'No active registered push device');
    const notice = testNotice(directory, site, actor, clock.nowSeconds());
    await sent(() => sender.sendEncrypted(actor.userId, devices, notice));
  },
);

/**
 * @throws Refusal INVALID_PUSH_DEVICE_TOKEN, INVALID_REMOTE_PUSH_DEVICE_TOKEN, PUSH_SERVICE_NOT_CONFIGURED, BAD_REQUEST;
 * ADMIN_ACTION_REQUIRED, FAILED_TO_CONNECT_BOUNCER, INTERNAL_SERVER_ERROR_ON_BOUNCER
 */
export const testPlainNotification = command(
  TestPlainNotificationCommand,
  { reader: DevicesReader, sender: PushSender, push: PushService, directory: Directory, site: Site, clock: Clock },
  async ({ actor, token }, { reader, sender, push, directory, site, clock }) => {
    assertPerson(actor);
    const { tokens: known } = await reader.of(actor.userId);
    const tokens = known.filter((one) => token === undefined || one.token === token);
    if (tokens.length === 0 && token !== undefined)
      throw new Refusal('INVALID_PUSH_DEVICE_TOKEN', 'Device not recognized');
    if (tokens.length === 0) throw badRequest('No push device is registered.');
    if (!push.isConfigured) throw pushNotConfigured();
    const notice = testNotice(directory, site, actor, clock.nowSeconds());
    await sent(() => sender.sendPlainly(actor.userId, tokens, notice));
    const { tokens: left } = await reader.of(actor.userId);
    // The push service has just said that none of them exists.
    if (!tokens.some((one) => left.some((other) => other.token === one.token)))
      throw new Refusal('INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer');
  },
);

function assertPerson({ botType }: User): void {
  if (botType !== null) throw badRequest('This endpoint does not accept bot requests.');
}

function testNotice(directory: Directory, { url }: Site, { userId }: User, time: number): Notice {
  const payload: JsonObject = {
    type: 'test',
    realm_url: url,
    realm_name: directory.organization.name,
    user_id: userId,
    time,
  };
  return { key: `test:${randomUUID()}`, isUrgent: true, payload };
}

async function sent(send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof PushFailure)) throw error;
    throw refusalOf(error);
  }
}

function refusalOf(failure: PushFailure): Refusal {
  if (failure.isPassing) {
    const code = codeOf(failure);
    return new Refusal(
      code,
      code === 'FAILED_TO_CONNECT_BOUNCER'
        ? 'Network error while connecting to the push notification service.'
        : 'Internal server error on the push notification service.',
    );
  }
  if (failure.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN')
    return new Refusal('INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer');
  return new Refusal(
    'ADMIN_ACTION_REQUIRED',
    'The push notification service refuses requests of this server. An administrator needs to correct its registration.',
  );
}
