import { type EventStore, type EventStoreUnavailable, openEventStore } from '#event-store';
import type { Logger } from '#http';
import { type EmbeddedReadStores, openReadStore, type SharedReadStores } from '#read-store';
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
  const events = await openEvents(settings, logger);
  const reads = await openReads(settings);
  if (reads.kind === 'shared') throw new SettingsError('READ_STORE_URL is on a server, but EVENT_STORE_URL is not.');
  return { events, reads };
}

/** @throws EventStoreUnavailable, ReadStoreUnavailable */
export async function openCommonStores(settings: Settings, logger: Logger): Promise<CommonStores> {
  const events = await openEvents(settings, logger);
  try {
    const reads = await openReads(settings);
    if (reads.kind !== 'shared') throw new Error('A read store in a file is not shared.');
    return { events, reads };
  } catch (error) {
    await events.close();
    throw error;
  }
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
