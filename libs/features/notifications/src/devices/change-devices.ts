import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import { badRequest, Refusal } from '#kernel';
import type { User } from '#users/model';
import { PushService } from '#push';
import type { DeviceRequest } from './device.commands.js';
import type { DeviceEvent } from './device.events.js';
import { devicesDecider } from './devices.decider.js';

/** Changes the actor's devices; resolves to the recorded events. */
export class ChangeDevicesCommand extends Command<readonly DeviceEvent[]> {
  constructor(
    readonly actor: User,
    /** Called once it is known that the actor may have devices. */
    readonly makeRequest: () => DeviceRequest,
    /** The request is of no use without a push service. */
    readonly needsPushService = false,
  ) {
    super();
  }
}

/** @throws Refusal BAD_REQUEST; PUSH_SERVICE_NOT_CONFIGURED; those of the request */
export const changeDevices = command(
  ChangeDevicesCommand,
  { push: PushService },
  ({ actor: { userId, botType }, makeRequest, needsPushService }, { push }) => {
    if (botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    if (needsPushService && !push.isConfigured) throw pushNotConfigured();
    const request = makeRequest();
    return inStream(devicesDecider, streams.devices(userId), (at) => ({ ...request, userId, at })).answering(
      ({ events }) => events,
    );
  },
);

export function pushNotConfigured(): Refusal {
  return new Refusal('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
}
