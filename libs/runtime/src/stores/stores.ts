import {
  type Damage,
  DamageWatch,
  type EventRegistry,
  type EventStore,
  EventStoreFull,
  type EventStoreUnavailable,
  openEventStore,
  ReadOnlyEventStore,
  WrongStreamPrefix,
} from '#event-store';
import type { Logger } from '#http';
import {
  type CollectionSchema,
  type EmbeddedReadStores,
  openReadStore,
  type ReadStores,
  type SharedReadStores,
} from '#read-store';
import { EndingSteps } from '../ending.js';
import type { Observers } from '../observers.js';
import { type Settings, SettingsError } from '../settings/settings.js';
import { asUnusable, pathIn } from '../settings/unusable-file.js';
import { observedStores } from './observed-stores.js';
import { assertSamePrefix, keepPrefix, ownerOf } from './stream-prefix.js';

/** Stores of a single process, or of one that shares its read store with no other. */
export interface OwnStores {
  readonly events: EventStore;
  readonly reads: EmbeddedReadStores;
}

/** Stores of one process among many. */
export interface CommonStores {
  readonly events: EventStore;
  readonly reads: SharedReadStores;
}

/**
 * @param collections what this release declares, for the server itself
 * @throws EventStoreUnavailable, ReadStoreUnavailable, SettingsError
 */
export async function openOwnStores(
  settings: Settings,
  registry: EventRegistry,
  logger: Logger,
  observers: Observers = {},
  collections?: readonly CollectionSchema[],
): Promise<OwnStores> {
  // The reverse, an event store on a server and a read store in a file, works for a single process.
  if (/^mongodb(?:\+srv)?:/.test(settings.readStoreUrl))
    throw new SettingsError('READ_STORE_URL is on a server, but EVENT_STORE_URL is not.');
  const { events, reads } = await openBoth(settings, registry, logger, observers, collections);
  if (reads.kind === 'shared') throw new Error('A read store on a server is shared.');
  if (reads.discarded === 'crash')
    logger.warn('The machine went down while read models were being written. They are rebuilt from the log.');
  if (reads.discarded === 'damage')
    logger.error('The file of the read models was damaged. It is set aside, and they are rebuilt from the log.');
  if (reads.fromSnapshotMs !== undefined)
    logger.info(`They go on from the snapshot of ${new Date(reads.fromSnapshotMs).toISOString()}.`);
  return { events, reads };
}

/** @throws EventStoreUnavailable, ReadStoreUnavailable, SettingsError */
export async function openCommonStores(
  settings: Settings,
  registry: EventRegistry,
  logger: Logger,
  observers: Observers = {},
): Promise<CommonStores> {
  const { events, reads } = await openBoth(settings, registry, logger, observers);
  if (reads.kind !== 'shared') throw new Error('A read store in a file is not shared.');
  return { events, reads };
}

/** In parallel: an invalid setting ends the process at once, even while it waits for the other store. */
async function openBoth(
  settings: Settings,
  registry: EventRegistry,
  logger: Logger,
  observers: Observers,
  collections?: readonly CollectionSchema[],
): Promise<{ readonly events: EventStore; readonly reads: ReadStores }> {
  const opened = openEvents(settings, registry, logger, observers.metrics?.synced);
  // Files may change places for the release: not while the process that has the log uses them.
  const reads = collections === undefined ? openReads(settings) : opened.then(() => openReads(settings, collections));
  const opening = [opened, reads] as const;
  await Promise.all(opening.map((store) => store.catch(passUnlessSetting)));
  const [events, models] = await Promise.allSettled(opening);
  if (events.status === 'fulfilled' && models.status === 'fulfilled') {
    const onDamage = (damage: Damage): void => {
      observers.metrics?.met(damage);
      const repair = settings.eventStoreUrl.startsWith('sqlite:')
        ? '`repair --from BACKUP` replaces them while the server is stopped.'
        : 'The server that keeps the log repairs it by its own means.';
      logger.error({ ...damage }, `A record of the event log is damaged. \`verify\` lists all that are. ${repair}`);
    };
    const watched = new DamageWatch(events.value, onDamage);
    const log = settings.readOnly ? new ReadOnlyEventStore(watched) : watched;
    const stores = { events: log, reads: models.value };
    await keepPrefix(stores.reads, settings.streamPrefix).catch(async (error: unknown) => {
      await closeStores(stores);
      throw error;
    });
    return observedStores(stores, observers);
  }
  if (events.status === 'fulfilled') await events.value.close();
  if (models.status === 'fulfilled') await models.value.close();
  throw events.status === 'rejected' ? events.reason : (models as PromiseRejectedResult).reason;
}

function passUnlessSetting(error: unknown): void {
  if (error instanceof SettingsError) throw error;
}

export async function closeStores(
  { events, reads }: { readonly events: EventStore; readonly reads: ReadStores },
  steps = new EndingSteps(),
): Promise<void> {
  await steps.run('event store', () => events.close());
  await steps.run('read store', () => reads.close());
}

function openEvents(
  settings: Settings,
  registry: EventRegistry,
  logger: Logger,
  onSync: ((tookMs: number) => void) | undefined,
): Promise<EventStore> {
  const isFile = settings.eventStoreUrl.startsWith('sqlite:');
  const onFailure = (err: EventStoreUnavailable): void => {
    if (err instanceof EventStoreFull)
      logger.error({ err }, 'The disk is full. Nothing is recorded until there is room; no restart is needed.');
    else if (isFile)
      logger.fatal({ err }, 'The event log cannot be written. Nothing is recorded until the server is started again.');
    else
      logger.error({ err }, 'The event store is not available. Nothing is recorded until it is; no restart is needed.');
  };
  // A log that shows the failure must also show its end.
  const onRecovery = (): void => logger.warn('The event store is available again.');
  const { streamPrefix, secret } = settings;
  const synced = onSync === undefined ? {} : { onSync };
  const options = { onFailure, onRecovery, streamPrefix, owner: ownerOf(secret), ...synced };
  return asSetting('EVENT_STORE_URL', settings.eventStoreUrl, () =>
    openEventStore(settings.eventStoreUrl, registry, options),
  );
}

async function openReads(
  { readStoreUrl, streamPrefix }: Settings,
  collections?: readonly CollectionSchema[],
): Promise<ReadStores> {
  const reads = await asSetting('READ_STORE_URL', readStoreUrl, () => openReadStore(readStoreUrl, collections));
  try {
    await assertSamePrefix(reads, streamPrefix);
    return reads;
  } catch (error) {
    await reads.close();
    throw asTold(error);
  }
}

/** A prefix that is not the organization's is an invalid setting. */
function asTold(error: unknown): unknown {
  return error instanceof WrongStreamPrefix ? new SettingsError(error.message) : error;
}

/** An invalid address is an invalid setting. */
async function asSetting<Opened>(name: string, url: string, open: () => Opened | Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    // A server's address may contain credentials, and its store reports the error itself.
    if (url.startsWith('sqlite:')) throw asUnusable(name, pathIn(error) ?? url, error);
    if (error instanceof TypeError) throw new SettingsError(`${name}: ${error.message}`);
    throw asTold(error);
  }
}
