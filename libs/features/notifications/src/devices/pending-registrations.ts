import { Injectable } from '@nestjs/common';
import { CommandRunner, EventStore, type RecordedEvent, streams } from '#event-store';
import { sinceFirst, TimedWork, type Work } from '#feature';
import { Clock, type Origin } from '#kernel';
import { DueTimers } from '#timers';
import type { DeviceRequest } from './device.commands.js';
import type { DeviceEvent, PushTarget } from './device.events.js';
import { devicesDecider } from './devices.decider.js';
import { aboutOf, registrationTimers } from './devices.projection.js';

/** Registrations of devices that the push service has not taken, and that are not given up. */
@Injectable()
export class PendingRegistrations extends TimedWork {
  override readonly kind = registrationTimers.kind;

  constructor(
    due: DueTimers,
    store: EventStore,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {
    super(registrationTimers.kind, due, store);
  }

  override retry(id: string, origin: Origin): Promise<boolean> {
    return this.#run(id, { type: 'hasten-registration', target: aboutOf(id).target }, origin);
  }

  /** Clients are told that it has failed. */
  override drop(id: string, reason: string, origin: Origin): Promise<boolean> {
    return this.#run(id, { type: 'drop-registration', target: aboutOf(id).target, reason }, origin);
  }

  protected override streamOf(id: string): string {
    return streams.devices(aboutOf(id).userId);
  }

  /** The stream has all devices of the user: those of the last request for this one. */
  protected override ofWork(id: string, events: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const { target } = aboutOf(id);
    const own = events.filter((event) => isAbout(target, event));
    return own.slice(
      Math.max(
        0,
        own.findLastIndex(({ type }) => type === REQUESTED),
      ),
    );
  }

  protected override work(id: string, events: readonly RecordedEvent[]): Work {
    const { userId, target } = aboutOf(id);
    return { what: `user ${userId}, ${target.kind} ${target.id}`, since: sinceFirst(events) };
  }

  async #run(id: string, request: DeviceRequest, origin: Origin): Promise<boolean> {
    // Any other text names no stream.
    if ((await this.find(id)) === undefined) return false;
    const { userId } = aboutOf(id);
    const command = { ...request, userId, at: this.clock.nowSeconds() };
    const { events } = await this.runner.run(devicesDecider, streams.devices(userId), command, origin);
    return events.length > 0;
  }
}

const REQUESTED: DeviceEvent['type'] = 'push-registration.requested.v1';

function isAbout({ kind, id }: PushTarget, { data }: RecordedEvent): boolean {
  const { target } = data as { readonly target?: PushTarget };
  return target?.kind === kind && target.id === id;
}
