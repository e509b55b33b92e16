import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LOG_LEVELS, type LogLevel } from '#http';
import { createPrivateFile } from './private-file.js';

/** How the server runs, from the environment (DESIGN, "Running it"; docs/operations.md has the table). */
export interface Settings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Where clients reach the server; undefined follows from host and port. */
  readonly siteUrl: string | undefined;
  readonly eventStoreUrl: string;
  readonly readStoreUrl: string;
  /** API keys derive from it. */
  readonly secret: string;
  /** It was given, and not made for this data directory alone. */
  readonly isSecretGiven: boolean;
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  readonly ownerPassword: string | undefined;
  readonly rateLimits: boolean;
  readonly trustProxy: boolean;
  readonly logLevel: LogLevel;
  /** For tests of what takes minutes: how long a queue lives without a poll, and when a held poll gets its heartbeat. */
  readonly eventQueueIdleSeconds: number | undefined;
  readonly heartbeatSeconds: number | undefined;
  /** On shared stores: whether this process also stands by as the projector. */
  readonly projector: boolean;
}

/** Whether the stores are on servers, so that any number of processes may serve. */
export function isShared({ eventStoreUrl, readStoreUrl }: Settings): boolean {
  return !eventStoreUrl.startsWith('sqlite:') && !readStoreUrl.startsWith('sqlite:');
}

/** Whether both stores are files of this process. */
export function isEmbedded({ eventStoreUrl, readStoreUrl }: Settings): boolean {
  return eventStoreUrl.startsWith('sqlite:') && readStoreUrl.startsWith('sqlite:');
}

/** A setting that cannot be used, with what to do about it. */
export class SettingsError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_LENGTH_MIN = 32;

/**
 * Reads the settings; creates the data directory, and in it the server's secret, where they are missing. An empty value
 * is no value: that is what `SETTING=` in a file of settings, or a variable that a template did not fill, comes to.
 */
export function readSettings(given: Environment): Settings {
  const environment = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const dataDir = resolve(environment['DATA_DIR'] ?? './data');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return {
    host: environment['HOST'] ?? '127.0.0.1',
    port: wholeNumber(environment, 'PORT', 0, 65_535) ?? 9991,
    dataDir,
    siteUrl: siteUrl(environment['SITE_URL']),
    eventStoreUrl: environment['EVENT_STORE_URL'] ?? `sqlite:${join(dataDir, 'events.db')}`,
    readStoreUrl: environment['READ_STORE_URL'] ?? `sqlite:${join(dataDir, 'read-models.db')}`,
    secret: sharedSecret(environment['SECRET_KEY']) ?? ownSecret(dataDir),
    isSecretGiven: environment['SECRET_KEY'] !== undefined,
    organizationName: environment['REALM_NAME'] ?? 'Scrollback',
    ownerEmail: environment['OWNER_EMAIL'] ?? 'owner@localhost.localdomain',
    ownerName: environment['OWNER_NAME'] ?? 'Owner',
    ownerPassword: environment['OWNER_PASSWORD'],
    rateLimits: choice(environment, 'RATE_LIMITS', ['on', 'off']) !== 'off',
    trustProxy: choice(environment, 'TRUST_PROXY', ['on', 'off']) === 'on',
    logLevel: choice(environment, 'LOG_LEVEL', LOG_LEVELS) ?? 'info',
    eventQueueIdleSeconds: wholeNumber(environment, 'EVENT_QUEUE_IDLE_SECONDS', 1, 604_800),
    heartbeatSeconds: wholeNumber(environment, 'HEARTBEAT_SECONDS', 1, 600),
    projector: choice(environment, 'PROJECTOR', ['on', 'off']) !== 'off',
  };
}

function sharedSecret(secret: string | undefined): string | undefined {
  if (secret !== undefined && secret.length < SECRET_LENGTH_MIN)
    throw new SettingsError(`SECRET_KEY needs at least ${SECRET_LENGTH_MIN} characters that nobody can guess.`);
  return secret;
}

function ownSecret(dataDir: string): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) createPrivateFile(path, randomBytes(32).toString('hex'));
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < SECRET_LENGTH_MIN)
    throw new SettingsError(
      `${path} is too short to be the server's secret. Restore it from a backup; without one, remove it: a new one is ` +
        'made, keys that clients have still work, and logins give new ones.',
    );
  return secret;
}

function siteUrl(raw: string | undefined): string | undefined {
  if (raw === undefined) return undefined;
  if (!URL.canParse(raw) || !/^https?:$/.test(new URL(raw).protocol))
    throw new SettingsError('SITE_URL must be an http or https address.');
  const { origin, pathname, search, hash } = new URL(raw);
  if (`${pathname}${search}${hash}` !== '/')
    throw new SettingsError('SITE_URL must be an address without a path: clients expect the interface at its root.');
  return origin;
}

function wholeNumber(environment: Environment, name: string, min: number, max: number): number | undefined {
  const raw = environment[name];
  if (raw === undefined) return undefined;
  const value = /^\d{1,9}$/.test(raw) ? Number(raw) : NaN;
  if (!(value >= min && value <= max)) throw new SettingsError(`${name} must be a whole number from ${min} to ${max}.`);
  return value;
}

function choice<const T extends string>(environment: Environment, name: string, allowed: readonly T[]): T | undefined {
  const raw = environment[name];
  if (raw === undefined) return undefined;
  const chosen = allowed.find((value) => value === raw);
  if (chosen === undefined) throw new SettingsError(`${name} must be one of: ${allowed.join(', ')}.`);
  return chosen;
}
