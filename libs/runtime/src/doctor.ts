import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { damageLine, type EventStore, EventStoreFull } from '#event-store';
import type { PendingWork } from '#feature';
import { within } from '#kernel';
import type { LogStatistics } from '#operator';
import type { Directory } from '#people';
import { RetentionSwitch, SERVER_VERSION, type Site } from '#realm/model';
import type { BackgroundRunner, EngineStatus, ReadSideOperations, ReadStore } from '#read-store';
import type { DueTimers } from '#timers';
import type { Check } from './check.js';
import { leftOverChecks } from './left-over-check.js';
import { operatorTokenFile } from './operator-token.js';
import { pendingChecks } from './pending-check.js';
import { placesOf } from './metrics/places.js';
import { isShared, type Settings } from './settings/settings.js';

/** A store that takes longer is a failure. */
const ANSWERS_WITHIN_MS = 5_000;
const SLOW_MS = 100;
const LAG_MAX_MS = 1_000;
/** Room that a log of a busy day takes many times over. */
const FREE_BYTES_MIN = 512 * 1024 * 1024;
const FREE_SHARE_MIN = 0.1;
/** Tokens of other systems, which say when they were signed, are refused by clocks that differ more. */
const CLOCK_DIFFERENCE_MAX_SECONDS = 5;
const CERTIFICATE_DAYS_MIN = 14;
const CERTIFICATE_WITHIN_MS = 3_000;
const DAY_MS = 86_400_000;
/** More are for `verify` to list. */
const DAMAGES_SHOWN_MAX = 10;

export interface DoctorParts {
  readonly settings: Settings;
  readonly site: Site;
  readonly events: Pick<EventStore, 'head' | 'failure' | 'product' | 'damages'>;
  readonly readStore: Pick<ReadStore, 'product'>;
  readonly timers: Pick<DueTimers, 'of'>;
  readonly readSide: Pick<ReadSideOperations, 'status'>;
  readonly background: Pick<BackgroundRunner, 'status'>;
  readonly pending: Pick<PendingWork, 'kinds' | 'source'>;
  readonly directory: Pick<Directory, 'settings' | 'channels'>;
  readonly statistics: Pick<LogStatistics, 'sizes'>;
  /** Names of the collections that the release has. */
  readonly collections: ReadonlySet<string>;
}

/** Looks at a running server, and says what an operator should know. Its answers have no addresses with credentials, and no contents. */
export class Doctor {
  constructor(private readonly parts: DoctorParts) {}

  /** @param askedAtSeconds clock of the machine that asks, in seconds since the epoch */
  async checks(askedAtSeconds: number | undefined): Promise<readonly Check[]> {
    // Before all other checks, whose time is no difference of the clocks.
    const clock = clockCheck(askedAtSeconds);
    const [log, readModels, leftOver, pending, disks, token, certificate] = await Promise.all([
      this.#log(),
      this.#readModels(),
      this.#leftOver(),
      pendingChecks(this.parts.pending),
      this.#disks(),
      this.#token(),
      certificateCheck(this.parts.site.url),
    ]);
    return [
      ok('version', `${SERVER_VERSION}, on Node ${process.versions.node}`),
      ...settingsCheck(this.parts.settings),
      ...this.#retention(),
      log,
      ...this.#damages(),
      ...readModels,
      ...leftOver,
      ...this.#work(),
      ...pending,
      ...disks,
      ...clock,
      token,
      ...certificate,
    ];
  }

  #retention(): readonly Check[] {
    const { settings, directory } = this.parts;
    const { whyOff } = RetentionSwitch.of(settings.retention, settings.quiet);
    const isAsked =
      directory.settings.message_retention_days > 0 ||
      [...directory.channels()].some(({ messageRetentionDays: days }) => days !== null && days > 0);
    return isAsked && whyOff !== undefined ? [{ name: 'retention', state: 'warning', text: whyOff }] : [];
  }

  async #log(): Promise<Check> {
    const { events } = this.parts;
    // The cause names files, which the status tells.
    const { failure } = events;
    if (failure !== undefined) {
      const why = failure instanceof EventStoreFull ? ': its disk is full, and it goes on when there is room' : '';
      return { name: 'log', state: 'failure', text: `It cannot be written${why}.` };
    }
    return storeCheck('log', async () => `${await events.product()}, position ${await events.head()}`);
  }

  /** Records that readers have met since the start: who looks for all of them runs `verify`. */
  #damages(): readonly Check[] {
    const { damages } = this.parts.events;
    const advice = this.parts.settings.eventStoreUrl.startsWith('sqlite:')
      ? 'Stop the server, and take it from a backup: `repair --from BACKUP`.'
      : 'Repair it by the means of the server that keeps the log.';
    return damages.slice(0, DAMAGES_SHOWN_MAX).map((damage) => {
      return { name: 'damaged record', state: 'failure', text: `${damageLine(damage)} ${advice}` };
    });
  }

  async #readModels(): Promise<readonly Check[]> {
    const { timers, readSide, readStore } = this.parts;
    const { state, lagMs, failure, participants } = readSide.status();
    const text = `${state}, ${Math.round(lagMs)} ms behind the log`;
    const isWell = state === 'live' && failure === undefined;
    return [
      await storeCheck('read store', async () => {
        await timers.of('mail', 1);
        return readStore.product();
      }),
      { name: 'read models', state: isWell ? (lagMs > LAG_MAX_MS ? 'warning' : 'ok') : 'failure', text },
      ...participants.flatMap(setAsideCheck),
    ];
  }

  /** As measured within the last hour. */
  async #leftOver(): Promise<readonly Check[]> {
    const { statistics, collections } = this.parts;
    // Whether the store answers is told by another check.
    const sizes = await within(ANSWERS_WITHIN_MS, () => statistics.sizes(), tooLate).catch(() => undefined);
    return leftOverChecks(sizes?.bytes, collections);
  }

  #work(): readonly Check[] {
    const failing = this.parts.background.status().filter(({ failures }) => failures > 0);
    if (failing.length === 0) return [ok('background work', 'No work fails.')];
    // What made it fail may be well again by now.
    return failing.map(({ name, failures, retryMaxMs }) => ({
      name: 'background work',
      state: 'warning',
      text: `${name} failed ${failures} times since its last success. It is tried again within ${Math.ceil(retryMaxMs / 1000)} s.`,
    }));
  }

  async #disks(): Promise<readonly Check[]> {
    return (await placesOf(this.parts.settings)).map(({ name, freeBytes, sizeBytes }) => {
      const text = `${Math.floor(freeBytes / 1024 ** 2)} MiB of ${Math.floor(sizeBytes / 1024 ** 2)} MiB left`;
      const state = freeBytes < FREE_BYTES_MIN ? 'failure' : freeBytes < sizeBytes * FREE_SHARE_MIN ? 'warning' : 'ok';
      return { name: `disk of ${name}`, state, text };
    });
  }

  async #token(): Promise<Check> {
    const { dataDir, operatorTokenFile: given } = this.parts.settings;
    const path = operatorTokenFile(dataDir, given);
    const mode = await stat(path).then(
      ({ mode: bits }) => bits & 0o777,
      () => undefined,
    );
    if (mode === undefined) return { name: 'operator token', state: 'failure', text: `There is no ${path}.` };
    return (mode & 0o077) === 0
      ? ok('operator token', `Only the user of the server can read ${path}.`)
      : { name: 'operator token', state: 'warning', text: `Others can read ${path}: its mode is ${mode.toString(8)}.` };
  }
}

function ok(name: string, text: string): Check {
  return { name, state: 'ok', text };
}

function settingsCheck(settings: Settings): readonly Check[] {
  const { siteUrl, trustProxy, smtp, rateLimits, isSecretGiven, devLogin, quiet, readOnly } = settings;
  const doubts = [
    readOnly ? 'READ_ONLY is on: nothing is recorded, and what is due waits.' : undefined,
    quiet && !readOnly ? 'QUIET is on: mail, pushes, calls of services and all else that is due wait.' : undefined,
    siteUrl === undefined ? 'SITE_URL is not set: links in mail lead to this machine.' : undefined,
    siteUrl?.startsWith('https:') === true && !trustProxy
      ? 'TRUST_PROXY is off behind a proxy: all people share one limit of calls.'
      : undefined,
    smtp === undefined ? 'SMTP_URL is not set: mail is written into files.' : undefined,
    rateLimits ? undefined : 'RATE_LIMITS is off: passwords can be guessed.',
    isShared(settings) && !isSecretGiven
      ? 'SECRET_KEY is not set: other processes refuse the keys of this one.'
      : undefined,
    devLogin ? 'DEV_LOGIN is on: everyone signs in as anyone.' : undefined,
  ].filter((text) => text !== undefined);
  if (doubts.length === 0) return [ok('settings', 'Nothing to say.')];
  return doubts.map((text) => ({ name: 'settings', state: 'warning', text }));
}

const tooLate = (): Error => new Error('The store does not answer in time.');

async function storeCheck(name: string, ask: () => Promise<string>): Promise<Check> {
  const askedMs = performance.now();
  const answer = await within(ANSWERS_WITHIN_MS, ask, tooLate).catch(() => undefined);
  const ms = Math.round((performance.now() - askedMs) * 10) / 10;
  if (answer === undefined) return { name, state: 'failure', text: `It does not answer (${ms} ms).` };
  return { name, state: ms > SLOW_MS ? 'warning' : 'ok', text: `${answer}, in ${ms} ms` };
}

function setAsideCheck({ name, setAside }: EngineStatus['participants'][number]): readonly Check[] {
  if (setAside === undefined) return [];
  const { type, position } = setAside;
  const text = `${name} failed on ${type} at position ${position} and is set aside: \`projections show ${name}\` says why.`;
  return [{ name: 'read models', state: 'failure', text }];
}

function clockCheck(askedAtSeconds: number | undefined): readonly Check[] {
  if (askedAtSeconds === undefined) return [];
  const difference = Math.round(Date.now() / 1000 - askedAtSeconds);
  const state = Math.abs(difference) > CLOCK_DIFFERENCE_MAX_SECONDS ? 'warning' : 'ok';
  // What is asked at the end of a second may be answered in the next one.
  const apart =
    Math.abs(difference) <= 1
      ? 'within a second of'
      : `${Math.abs(difference)} s ${difference < 0 ? 'behind' : 'ahead of'}`;
  return [{ name: 'clock', state, text: `${apart} the machine that asks` }];
}

/** The certificate at the address that clients use, as it is seen from here. */
async function certificateCheck(siteUrl: string): Promise<readonly Check[]> {
  const { protocol, hostname, port } = new URL(siteUrl);
  if (protocol !== 'https:') return [];
  const until = await certificateEnd(hostname, port === '' ? 443 : Number(port));
  const name = 'certificate';
  if (until === undefined) return [{ name, state: 'warning', text: `${siteUrl} cannot be looked at from the server.` }];
  const days = Math.floor((until - Date.now()) / DAY_MS);
  const state = days < 0 ? 'failure' : days < CERTIFICATE_DAYS_MIN ? 'warning' : 'ok';
  return [{ name, state, text: `${siteUrl}: ends ${new Date(until).toISOString().slice(0, 10)}, in ${days} days` }];
}

/** @returns milliseconds since the epoch; undefined when it cannot be had */
function certificateEnd(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    // One that has ended, or that nobody trusts, is looked at as well: nothing is sent.
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...name, rejectUnauthorized: false, timeout: CERTIFICATE_WITHIN_MS });
    const end = (value?: number): void => {
      socket.destroy();
      resolve(value);
    };
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to);
      end(Number.isNaN(until) ? undefined : until);
    });
    socket.once('timeout', () => {
      end();
    });
    socket.once('error', () => {
      end();
    });
  });
}
