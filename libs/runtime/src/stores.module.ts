import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CommandRunner, EventStore, ReadBarrier } from '#event-store';
import { EphemeralEvents } from '#feed';
import { FollowUps, type OpenFollowUpDocument } from '#follow-ups';
import type { Logger } from '#http';
import { Clock, SystemClock } from '#kernel';
import { MailReports, MailTransport } from '#mail';
import { Directory, Site } from '#organization';
import { MoveLock } from '#messages';
import { Broadcast, ReadStore, KeyValueStore } from '#read-store';
import { type TimerDocument, Timers } from '#timers';
import { ApiKeys } from '#users';
import type { Composition } from './composition.js';
import { nowAndThen } from './until-available.js';

export interface Foundations {
  readonly events: EventStore;
  readonly readStore: ReadStore;
  readonly side: KeyValueStore;
  readonly broadcast: Broadcast;
  /** Created last, from the barrier of the other parts. */
  readonly moveLock: (barrier: ReadBarrier) => MoveLock;
  readonly site: Site;
  /** Where mail goes. */
  readonly mail: MailTransport;
  /** Setting `SECRET_KEY`. */
  readonly secret: string;
}

/** The stores, the directory and the command runners, which every feature uses. */
@Module({})
export class StoresModule {
  static with(
    { features, openFollowUps, dueIndex }: Composition,
    { events, readStore, side, broadcast, moveLock, site, mail, secret }: Foundations,
    logger: Logger,
  ): DynamicModule {
    const onError = nowAndThen((error) => {
      logger.error({ err: error }, 'A follow-up failed; it is tried again.');
    });
    const onTimerError = nowAndThen((error) => {
      logger.error({ err: error }, 'A timer failed; it is tried again.');
    });
    const tellOfMail = nowAndThen(({ message }) => {
      logger.warn({ reason: message }, 'A mail could not be sent.');
    });
    const reports = new MailReports(tellOfMail);
    const providers: Provider[] = [
      { provide: Clock, useClass: SystemClock },
      { provide: Site, useValue: site },
      { provide: MailTransport, useValue: mail },
      { provide: MailReports, useValue: reports },
      { provide: Directory, useFactory: () => new Directory() },
      { provide: ApiKeys, useFactory: () => new ApiKeys(secret) },
      { provide: EventStore, useValue: events },
      { provide: ReadStore, useValue: readStore },
      { provide: KeyValueStore, useValue: side },
      { provide: Broadcast, useValue: broadcast },
      { provide: EphemeralEvents, useFactory: () => new EphemeralEvents(broadcast) },
      { provide: MoveLock, inject: [ReadBarrier], useFactory: moveLock },
      {
        provide: CommandRunner,
        inject: [EventStore, ReadBarrier],
        useFactory: (store: EventStore, barrier: ReadBarrier) => new CommandRunner(store, barrier),
      },
      {
        provide: FollowUps,
        inject: [ReadBarrier, Clock],
        useFactory: async (barrier: ReadBarrier, clock: Clock) => {
          const open = await readStore.collection<OpenFollowUpDocument>(openFollowUps.collection);
          return new FollowUps({
            open,
            causes: openFollowUps.handles,
            store: events,
            barrier,
            clock,
            onError,
          });
        },
      },
      {
        provide: Timers,
        inject: [ReadBarrier, Clock],
        useFactory: async (barrier: ReadBarrier, clock: Clock) =>
          new Timers({
            index: await readStore.collection<TimerDocument>(dueIndex.collection),
            kinds: new Set(features.timers.map(({ kind }) => kind)),
            barrier,
            clock,
            onError: onTimerError,
          }),
      },
    ];
    return { module: StoresModule, global: true, providers, exports: providers };
  }
}
