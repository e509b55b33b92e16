import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { badRequest, Clock, Refusal } from '#kernel';
import type { User } from '#organization';
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
@CommandHandler(ChangeDevicesCommand)
export class ChangeDevicesHandler implements ICommandHandler<ChangeDevicesCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
    private readonly push: PushService,
  ) {}

  async execute({
    actor: { userId, botType },
    makeRequest,
    needsPushService,
  }: ChangeDevicesCommand): Promise<readonly DeviceEvent[]> {
    if (botType !== null) throw badRequest('This endpoint does not accept bot requests.');
    if (needsPushService && !this.push.isConfigured) throw pushNotConfigured();
    const command = { ...makeRequest(), userId, at: this.clock.nowSeconds() };
    const { events } = await this.runner.run(devicesDecider, streams.devices(userId), command);
    return events;
  }
}

export function pushNotConfigured(): Refusal {
  return new Refusal('PUSH_SERVICE_NOT_CONFIGURED', 'Server is not configured to use push notification service.');
}
