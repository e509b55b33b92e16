import { openEventStore, SqliteEventStore } from '#event-store';
import { importArchive, type Imported, ownerOf, randomPassword, recordOwnerAccess } from '#import';
import { blobStoreOf, handOver, readSettings, scrollback } from '#runtime';
import { ApiKeys } from '#users';
import { type BarTerminal, ProgressBar } from './progress-bar.js';

/** Appends that wait for the disk together. */
const IN_FLIGHT_MAX = 64;

export interface ImportParts {
  readonly archive: string;
  /** Settings of the server, as in its environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly terminal: BarTerminal;
}

/** Imports an archive into the log of an empty server that is stopped. */
export async function importInto({ archive, environment, signal, terminal }: ImportParts): Promise<Imported> {
  const settings = readSettings(environment);
  const { dataDir, eventStoreUrl, streamPrefix, secret, ownerPassword } = settings;
  const events = await openEventStore(eventStoreUrl, scrollback.registry, { streamPrefix });
  const bars = new Map<string, ProgressBar>();
  let last: { what: string; done: number } | undefined;
  const endBar = (): void => {
    if (last !== undefined) bars.get(last.what)?.end(last.done);
    last = undefined;
  };
  try {
    const imported = await importArchive(archive, {
      events,
      blobs: blobStoreOf(settings),
      uploads: settings.uploadSettings,
      registry: scrollback.registry,
      newDirectory: () => scrollback.newDirectory(),
      inFlightMax: events instanceof SqliteEventStore ? IN_FLIGHT_MAX : 1,
      signal,
      onProgress(what, done, total) {
        if (last?.what !== what) endBar();
        last = { what, done };
        const bar = bars.get(what) ?? new ProgressBar(terminal, what, what === 'Copying' ? 'files' : 'events');
        bars.set(what, bar);
        bar.show(done, total);
      },
      async giveOwnerAccess(directory) {
        endBar();
        const owner = ownerOf(directory);
        if (owner === undefined) {
          terminal.tell('The organization has no active owner. Nobody can log in.');
          return;
        }
        const password = ownerPassword ?? randomPassword();
        // Handed over before it is recorded: one that nobody has seen would be lost with this process.
        const isTerminal = terminal.redraw !== undefined;
        const where =
          ownerPassword === undefined ? handOver(password, dataDir, isTerminal) : 'Password: in OWNER_PASSWORD.';
        terminal.tell(`${owner.email} is the owner. ${where}`);
        const at = Math.floor(Date.now() / 1000);
        await recordOwnerAccess(events, new ApiKeys(secret), directory, owner, password, at);
      },
    });
    endBar();
    return imported;
  } finally {
    await events.close();
  }
}
