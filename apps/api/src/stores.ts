import { type EventStore, type EventStoreUnavailable, openEventStore } from '#event-store';
import type { Logger } from '#http';
import { type EmbeddedReadStores, openReadStore, type ReadStores, type SharedReadStores } from '#read-store';
import { eventRegistry } from './event-registry.js';
import { isShared, type Settings, SettingsError } from './settings.js';

/** The stores of a process that has them to itself, or shares its read store with nobody. */
export interface OwnStores {
  readonly events: EventStore;
  readonly reads: EmbeddedReadStores;
}

/** The stores of a process that is one of many. */
export interface CommonStores {
  readonly events: EventStore;
  readonly reads: SharedReadStores;
}

/** @throws EventStoreUnavailable, ReadStoreUnavailable, SettingsError */
export async function openOwnStores(settings: Settings, logger: Logger): Promise<OwnStores> {
  // The other way round, an event store on a server and a read store in a file, is what one process can do.
  if (/^mongodb(?:\+srv)?:/.test(settings.readStoreUrl))
    throw new SettingsError('READ_STORE_URL is on a server, but EVENT_STORE_URL is not.');
  const { events, reads } = await openBoth(settings, logger);
  if (reads.kind === 'shared') throw new Error('A read store on a server is shared.');
  return { events, reads };
}

/** @throws EventStoreUnavailable, ReadStoreUnavailable, SettingsError */
export async function openCommonStores(settings: Settings, logger: Logger): Promise<CommonStores> {
  const { events, reads } = await openBoth(settings, logger);
  if (reads.kind !== 'shared') throw new Error('A read store in a file is not shared.');
  return { events, reads };
}

/** Side by side: a setting to mend ends the process at once, whatever the other store is waited for. */
async function openBoth(settings: Settings, logger: Logger): Promise<{ events: EventStore; reads: ReadStores }> {
  const opening = [openEvents(settings, logger), openReads(settings)] as const;
  await Promise.all(opening.map((store) => store.catch(passUnlessSetting)));
  const [events, reads] = await Promise.allSettled(opening);
  if (events.status === 'fulfilled' && reads.status === 'fulfilled')
    return { events: events.value, reads: reads.value };
  if (events.status === 'fulfilled') await events.value.close();
  if (reads.status === 'fulfilled') await reads.value.close();
  throw events.status === 'rejected' ? events.reason : (reads as PromiseRejectedResult).reason;
}

function passUnlessSetting(error: unknown): void {
  if (error instanceof SettingsError) throw error;
}

export async function closeStores({ events, reads }: OwnStores | CommonStores): Promise<void> {
  await events.close();
  await reads.close();
}

function openEvents(settings: Settings, logger: Logger): Promise<EventStore> {
  const onFailure = (failure: EventStoreUnavailable): void => {
    const text = isShared(settings)
      ? 'The event store is not available. Nothing is recorded until it is.'
      : 'The event log cannot be written. Nothing is recorded until the server is started again.';
    logger.fatal({ err: failure }, text);
  };
  return asSetting('EVENT_STORE_URL', () => openEventStore(settings.eventStoreUrl, eventRegistry, { onFailure }));
}

function openReads(settings: Settings) {
  return asSetting('READ_STORE_URL', () => openReadStore(settings.readStoreUrl));
}

/** An address that is none is a setting to mend. */
async function asSetting<Opened>(name: string, open: () => Opened | Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof TypeError) throw new SettingsError(`${name}: ${error.message}`);
    throw error;
  }
}
