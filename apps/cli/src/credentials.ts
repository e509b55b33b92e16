import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { streams } from '#event-store';
import type { Directory } from '#people';
import { scrollback, writePrivateFile } from '#runtime';
import { ApiKeys, ownerZuliprc } from '#users';
import { logAddress, openLog } from './log-address.js';

export interface CredentialsParts {
  readonly dataDir: string;
  /** Settings of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Address of the server, when it is not that of the settings. */
  readonly site: string | undefined;
  /** File to write. */
  readonly target: string;
  /** Of the owner; the oldest active one when absent. */
  readonly email: string | undefined;
}

/**
 * Writes the credentials of an active owner, derived from the log and the secret, also while the server runs.
 * @returns a line that names the owner
 */
export async function writeOwnerCredentials(parts: CredentialsParts): Promise<string> {
  const { dataDir, environment, target, email } = parts;
  if (existsSync(target)) throw new Error(`${target} exists already.`);
  // An empty value counts as absent.
  const setting = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const apiKeys = new ApiKeys(setting('SECRET_KEY') ?? secretIn(dataDir));
  const directory = await directoryOf(logAddress(dataDir, environment['EVENT_STORE_URL']));
  const site = parts.site ?? setting('SITE_URL') ?? `http://127.0.0.1:${setting('PORT') ?? '9991'}`;
  const zuliprc = ownerZuliprc(directory, apiKeys, site.replace(/\/+$/, ''), email);
  if (zuliprc === undefined)
    throw new Error(
      `${email ?? 'Nobody'} is no active owner with a key that derives from this secret. A login of an owner issues one.`,
    );
  writePrivateFile(target, zuliprc);
  return `${target} holds the key of ${/^email=(.*)$/m.exec(zuliprc)?.[1] ?? ''}.`;
}

async function directoryOf(address: string): Promise<Directory> {
  const log = await openLog(address);
  try {
    const directory = scrollback.newDirectory();
    for await (const page of log.readAll({ streamPrefixes: [streams.organization] }))
      for (const event of page) directory.apply(event);
    return directory;
  } finally {
    await log.close();
  }
}

/** Unlike at the start of the server, none is made. */
function secretIn(dataDir: string): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path))
    throw new Error(`There is no ${path}. Set SECRET_KEY, or name the data directory with --data.`);
  return readFileSync(path, 'utf8').trim();
}
