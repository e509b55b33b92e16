import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { CommandPath, EventStore, type EventStoreUnavailable, SqliteEventStore, Visibility } from '#event-store';
import type { Logger } from '#http';
import { Clock, SystemClock } from '#kernel';
import { Directory, OrganizationWrites, Site } from '#organization';
import { ReadStore, SideStore, SqliteReadStore, SqliteSideStore } from '#read-store';
import { ApiKeys } from '#users';
import { eventRegistry } from './event-registry.js';
import { type Settings, sqlitePath } from './settings.js';

/** The stores, the directory and the command paths: what every feature stands on. */
@Module({})
export class StoresModule {
  static with(settings: Settings, site: Site, logger: Logger): DynamicModule {
    const readStorePath = sqlitePath('READ_STORE_URL', settings.readStoreUrl);
    const eventStorePath = sqlitePath('EVENT_STORE_URL', settings.eventStoreUrl);
    const onFailure = (failure: EventStoreUnavailable): void => {
      logger.fatal(
        { err: failure },
        'The event log cannot be written. Nothing is recorded until the server is started again.',
      );
    };
    const providers: Provider[] = [
      { provide: Clock, useClass: SystemClock },
      { provide: Site, useValue: site },
      { provide: Directory, useFactory: () => new Directory() },
      { provide: ApiKeys, useFactory: () => new ApiKeys(settings.secret) },
      { provide: EventStore, useFactory: () => SqliteEventStore.open(eventStorePath, eventRegistry, { onFailure }) },
      { provide: ReadStore, useFactory: () => new SqliteReadStore(readStorePath) },
      // A file of its own, so that queues outlive read models that are thrown away.
      { provide: SideStore, useFactory: () => new SqliteSideStore(readStorePath.replace(/(\.db)?$/, '-side.db')) },
      {
        provide: CommandPath,
        inject: [EventStore, Visibility],
        useFactory: (store: EventStore, visibility: Visibility) => new CommandPath(store, visibility),
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
