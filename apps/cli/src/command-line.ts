import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BlobStore } from '#blob-store';
import { ExpectedContents, verifyContents } from './contents.js';
import { writeOwnerCredentials } from './credentials.js';
import { copyFiles } from './copy-files.js';
import { copyBetween, givenAddress } from './copy-log.js';
import { exportWhole } from './export.js';
import { importInto } from './import.js';
import { readEvents, readMessageHistory, verify } from './log.js';
import { logAddress, logFile, openLog, uploadsOf } from './log-address.js';
import { OperatorClient } from './operator-client.js';
import { SERVER_VERSION } from '#organization';
import { scrollback } from '#runtime';
import { reactivateOrganization } from './reactivate.js';
import { USAGE, usageComplaint } from './usage.js';

/** The process of a command. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes a line to the standard output; resolves when there is room for another. */
  print(line: string): void | Promise<void>;
  /** Writes a line to the standard error stream. */
  tell(line: string): void;
  /** Calls `stop` when the process receives a signal; before that, a signal ends it at once. */
  onInterrupt(stop: () => void): void;
  /** Replaces the last line of the standard error stream; absent when that is no terminal. */
  redraw?(line: string): void;
}

/** Runs a command; resolves to the exit code of the process. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await commandOf(args, terminal);
  } catch (error) {
    terminal.tell(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function commandOf(args: readonly string[], terminal: Terminal): Promise<number> {
  const { environment } = terminal;
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: 'string' },
      site: { type: 'string' },
      credentials: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      version: { type: 'boolean' },
    },
  });
  const [command, ...given] = positionals;
  if (values.help === true || command === 'help') {
    await terminal.print(USAGE);
    return 0;
  }
  if (values.version === true) {
    await terminal.print(SERVER_VERSION);
    return 0;
  }
  const complaint = command === undefined ? USAGE : usageComplaint(command, given);
  if (complaint !== undefined) {
    terminal.tell(command === undefined ? complaint : `${complaint} The option --help lists all commands.`);
    return 2;
  }
  const [argument = '', target = ''] = given;
  const dataDir = values.data ?? dataDirectory(environment['DATA_DIR']);
  const credentials = values.credentials ?? join(dataDir, 'owner.zuliprc');
  if (command === 'status') {
    const status = await new OperatorClient(credentials, values.site).call('GET', 'projections');
    await terminal.print(JSON.stringify(status, null, 2));
    return 0;
  }
  if (command === 'rebuild') {
    const path = `projections/${encodeURIComponent(argument)}/rebuild`;
    await terminal.print(JSON.stringify(await new OperatorClient(credentials, values.site).call('POST', path)));
    return 0;
  }
  if (command === 'reactivate') {
    const address = logAddress(dataDir, environment['EVENT_STORE_URL']);
    const wasDeactivated = await reactivateOrganization(address, Math.floor(Date.now() / 1000));
    await terminal.print(wasDeactivated ? 'The organization is active again.' : 'The organization is not deactivated.');
    return wasDeactivated ? 0 : 1;
  }
  if (command === 'credentials') {
    await terminal.print(
      await writeOwnerCredentials({ dataDir, environment, site: values.site, target: argument, email: given[1] }),
    );
    return 0;
  }
  if (command === 'export') return exportTo(argument, dataDir, terminal);
  if (command === 'import') return importFrom(argument, dataDir, terminal);
  if (command === 'copy-log') return copyLog(argument, target, terminal);
  if (command === 'copy-files') return copyContent(argument, target, dataDir, terminal);
  return readLog(
    command as 'log' | 'history' | 'verify',
    given[0],
    logAddress(dataDir, environment['EVENT_STORE_URL']),
    {
      terminal,
      blobs: uploadsOf(dataDir, environment['UPLOADS_URL']),
    },
  );
}

/** Like the server: an empty value counts as absent. */
function dataDirectory(given: string | undefined): string {
  return given === undefined || given === '' ? './data' : given;
}

async function readLog(
  command: 'log' | 'history' | 'verify',
  argument: string | undefined,
  address: string,
  { terminal, blobs }: { readonly terminal: Terminal; readonly blobs: BlobStore | undefined },
): Promise<number> {
  const store = await openLog(address).catch((error: unknown) => {
    throw error instanceof TypeError ? new Error(`EVENT_STORE_URL: ${error.message}`) : error;
  });
  try {
    if (command === 'verify') {
      const expected = new ExpectedContents(scrollback.features.contents);
      const verified = await verify(store, logFile(address), (event) => {
        expected.look(event);
      });
      const { right, wrong } = await verifyContents(expected, blobs, (line) => {
        terminal.tell(line);
      });
      await terminal.print(JSON.stringify(right + wrong === 0 ? verified : { ...verified, contents: right, wrong }));
      return wrong === 0 ? 0 : 1;
    }
    if (command === 'history')
      return await printFound(readMessageHistory(store, Number(argument)), `message ${argument ?? ''}`, terminal);
    if (argument !== undefined) return await printFound(readEvents(store, argument), `stream ${argument}`, terminal);
    await printAll(readEvents(store, undefined), terminal);
    return 0;
  } finally {
    await store.close();
  }
}

async function printAll(events: AsyncIterable<object>, terminal: Terminal): Promise<number> {
  let count = 0;
  for await (const event of events) {
    count++;
    await terminal.print(JSON.stringify(event));
  }
  return count;
}

/** An empty result is reported: a mistyped name must not look like a stream without events. */
async function printFound(events: AsyncIterable<object>, what: string, terminal: Terminal): Promise<number> {
  if ((await printAll(events, terminal)) > 0) return 0;
  terminal.tell(`The log has no ${what}.`);
  return 1;
}

async function exportTo(target: string, dataDir: string, terminal: Terminal): Promise<number> {
  const address = logAddress(dataDir, terminal.environment['EVENT_STORE_URL']);
  return untilInterrupted(terminal, async (signal) => {
    const blobs = uploadsOf(dataDir, terminal.environment['UPLOADS_URL']);
    const { counts } = await exportWhole({ address, blobs, target, nowMs: Date.now(), signal, terminal });
    return counts;
  });
}

async function importFrom(archive: string, dataDir: string, terminal: Terminal): Promise<number> {
  const environment = { ...terminal.environment, DATA_DIR: dataDir };
  return untilInterrupted(terminal, (signal) => importInto({ archive, environment, signal, terminal }));
}

async function copyContent(from: string, to: string, dataDir: string, terminal: Terminal): Promise<number> {
  return untilInterrupted(terminal, (signal) =>
    copyFiles({
      from: givenAddress(from, terminal.environment),
      to: givenAddress(to, terminal.environment),
      stagingFolder: join(dataDir, 'incoming'),
      signal,
      tell: (line) => {
        terminal.tell(line);
      },
    }),
  );
}

async function copyLog(from: string, to: string, terminal: Terminal): Promise<number> {
  return untilInterrupted(terminal, (signal) =>
    copyBetween({
      from: givenAddress(from, terminal.environment),
      to: givenAddress(to, terminal.environment),
      signal,
      tell: (line) => {
        terminal.tell(line);
      },
    }),
  );
}

/** Prints the result. A signal stops the work, which can go on later. */
async function untilInterrupted(terminal: Terminal, work: (signal: AbortSignal) => Promise<object>): Promise<number> {
  const interruption = new AbortController();
  terminal.onInterrupt(() => {
    interruption.abort();
  });
  try {
    await terminal.print(JSON.stringify(await work(interruption.signal)));
    return 0;
  } catch (error) {
    if (!interruption.signal.aborted) throw error;
    terminal.tell('Interrupted. The same command goes on from here.');
    return 130;
  }
}
