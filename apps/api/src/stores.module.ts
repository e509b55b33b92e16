import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CommandPath, EventStore, Visibility } from '#event-store';
import { Announcer } from '#feed';
import { FollowUps, type OpenFollowUpDocument } from '#follow-ups';
import type { Logger } from '#http';
import { Clock, SystemClock } from '#kernel';
import { Directory, OrganizationWrites, Site } from '#organization';
import { MoveTurns } from '#messages';
import { Broadcast, ReadStore, SideStore } from '#read-store';
import { ApiKeys } from '#users';
import { openFollowUps } from './open-follow-ups.js';
import { nowAndThen } from './patience.js';

export interface Foundations {
  readonly events: EventStore;
  readonly readStore: ReadStore;
  readonly side: SideStore;
  readonly broadcast: Broadcast;
  /** Built last, on what the others make visible. */
  readonly turns: (visibility: Visibility) => MoveTurns;
  readonly site: Site;
  /** Setting `SECRET_KEY`. */
  readonly secret: string;
}

/** The stores, the directory and the command paths: what every feature stands on. */
@Module({})
export class StoresModule {
  static with({ events, readStore, side, broadcast, turns, site, secret }: Foundations, logger: Logger): DynamicModule {
    const onError = nowAndThen((error) => {
      logger.error({ err: error }, 'What follows from a fact could not be done, and is tried again.');
    });
    const providers: Provider[] = [
      { provide: Clock, useClass: SystemClock },
      { provide: Site, useValue: site },
      { provide: Directory, useFactory: () => new Directory() },
      { provide: ApiKeys, useFactory: () => new ApiKeys(secret) },
      { provide: EventStore, useValue: events },
      { provide: ReadStore, useValue: readStore },
      { provide: SideStore, useValue: side },
      { provide: Broadcast, useValue: broadcast },
      { provide: Announcer, useFactory: () => new Announcer(broadcast) },
      { provide: MoveTurns, inject: [Visibility], useFactory: turns },
      {
        provide: CommandPath,
        inject: [EventStore, Visibility],
        useFactory: (store: EventStore, visibility: Visibility) => new CommandPath(store, visibility),
      },
      {
        provide: FollowUps,
        inject: [Visibility, Clock],
        useFactory: async (visibility: Visibility, clock: Clock) => {
          const open = await readStore.collection<OpenFollowUpDocument>(openFollowUps.collection);
          return new FollowUps({
            open,
            causes: openFollowUps.handles,
            store: events,
            visibility,
            clock,
            onError,
          });
        },
      },
      {
        provide: OrganizationWrites,
        inject: [EventStore, Visibility, Directory],
        useFactory: (store: EventStore, visibility: Visibility, directory: Directory) =>
          new OrganizationWrites(store, visibility, directory),
      },
    ];
    return { module: StoresModule, global: true, providers, exports: providers };
  }
}
