import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { operatorTokenFile, tokenIn } from '#runtime';
import { address } from './option-values.js';

export interface ServerAccess {
  /** Address of the server, without a slash at the end. */
  readonly site: string;
  /** Header of the requests. */
  readonly authorization: string;
}

export interface AccessAsked {
  readonly dataDir: string;
  /** Settings of the server. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** File with the key of an owner, which counts instead of the operator's token. */
  readonly credentials: string | undefined;
  /** Address of the server, when it is not that of the settings. */
  readonly site: string | undefined;
}

/**
 * The operator's token and the address of the server, or the key and the address in a file of an owner's credentials.
 * @throws Error that says which file is missing
 */
export function operatorAccess({ dataDir, environment, credentials, site }: AccessAsked): ServerAccess {
  if (credentials !== undefined) return keyAccess(credentials, site);
  const path = operatorTokenFile(dataDir, environment['OPERATOR_TOKEN_FILE']);
  if (!existsSync(path))
    throw new Error(
      `There is no ${path}. Name the server's data directory with --data, where its start writes the operator's token, or the key of an owner with --credentials.`,
    );
  const token = tokenIn(readFileSync(path, 'utf8'));
  if (token === undefined) throw new Error(`${path} is too short to be the operator's token.`);
  return { site: siteOf(site ?? usualSite(dataDir, environment)), authorization: `Bearer ${token}` };
}

/**
 * The key in a file of credentials.
 * @param site address of the server, instead of the one in the file
 * @throws Error when there is no such file, or it lacks something
 */
export function keyAccess(path: string, site: string | undefined): ServerAccess {
  const { email, key, site: own } = zuliprcIn(path);
  if (email === '' || key === '') throw new Error(`${path} has no credentials: a line each for email, key and site.`);
  if ((site ?? own) === '') throw new Error(`${path} names no server: give its address with --site.`);
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  return { site: siteOf(site ?? own), authorization };
}

/** File with the key of the owner, which the server writes into its data directory. */
export function ownerZuliprc(dataDir: string): string {
  return join(dataDir, 'owner.zuliprc');
}

/** The address that the last start wrote, which knows the port, or the one in the settings. */
function usualSite(dataDir: string, environment: AccessAsked['environment']): string {
  const setting = (name: string): string | undefined => (environment[name] === '' ? undefined : environment[name]);
  const zuliprc = ownerZuliprc(dataDir);
  const written = existsSync(zuliprc) ? zuliprcIn(zuliprc).site : undefined;
  return setting('SITE_URL') ?? written ?? `http://127.0.0.1:${setting('PORT') ?? '9991'}`;
}

function zuliprcIn(path: string): { readonly email: string; readonly key: string; readonly site: string } {
  if (!existsSync(path)) throw new Error(`There is no ${path}.`);
  // A pipe of another program is as good as a file.
  if (statSync(path).isDirectory()) throw new Error(`${path} is not a file of credentials.`);
  const zuliprc = readFileSync(path, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}\\s*=\\s*(.*)$`, 'm').exec(zuliprc)?.[1] ?? '';
  return { email: field('email'), key: field('key'), site: field('site') };
}

function siteOf(given: string): string {
  const site = given.replace(/\/+$/, '');
  if (address('', site) !== undefined) throw new Error(`${site} is not the address of a server.`);
  return site;
}
