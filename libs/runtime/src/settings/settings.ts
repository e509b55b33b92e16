import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ZoomSettings } from '#calls';
import { UploadSettings } from '#files';
import type { LogAddresses, LogLevel } from '#http';
import { createFolderSync } from '#kernel';
import { type SmtpAddress, smtpAddressOf } from '#mail';
import { UploadLimits } from '#realm/model';
import type { ExtraEmojiTypeName } from '#pictures/model';
import { type BouncerAddress, bouncerAddressOf } from '#push';
import type { OpenIdSettings } from '#sign-in';
import { PasswordCost } from '#users';
import { Environment, SECRET_LENGTH_MIN } from './environment.js';
import { createPrivateFile } from '../private-file.js';
import { SettingsError } from './settings-error.js';
import { type MetricsAddress, metricsAddressOf } from './metrics-address.js';
import { listOf } from '../webhooks.js';
import { asUnusable } from './unusable-file.js';

export { SettingsError } from './settings-error.js';

/** Settings of the server, from the environment (docs/operations.md has the table). */
export interface Settings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** External address for clients; derived from host and port when undefined. */
  readonly siteUrl: string | undefined;
  /** Folder of the built chat page, which belongs to the program; undefined without one. */
  readonly webFolder?: string;
  readonly eventStoreUrl: string;
  readonly readStoreUrl: string;
  /** Prefix of the stream names on a shared event store; '' for none. */
  readonly streamPrefix: string;
  /** Where the content of files is kept. */
  /** Hour at which a snapshot of embedded read models is made, in UTC; undefined for never. */
  readonly snapshotHour: number | undefined;
  readonly uploadsUrl: string;
  readonly uploadLimits: UploadLimits;
  /** `reaction_type` of the server's own emoji. */
  readonly extraEmojiType: ExtraEmojiTypeName;
  readonly uploadSettings: UploadSettings;
  /** API keys are derived from it. */
  readonly secret: string;
  /** It was given, and not generated for this data directory. */
  readonly isSecretGiven: boolean;
  /** File of the operator's token; in the data directory when undefined. */
  readonly operatorTokenFile: string | undefined;
  readonly organizationName: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  readonly ownerPassword: string | undefined;
  /** Key of tokens that another system signs, as written, and its algorithms; undefined when none is trusted. */
  readonly jwtAuth: { readonly key: string; readonly algorithms: string } | undefined;
  /** Whether everyone can sign in as anyone, for development. */
  readonly devLogin: boolean;
  /** Hosts that services of bots may have, networks beside public ones, and how long a call may take. */
  readonly webhooks: {
    readonly hosts: readonly string[];
    readonly networks: readonly string[];
    readonly timeoutSeconds: number;
  };
  /** The identity provider; undefined when there is none. */
  readonly openId: OpenIdSettings | undefined;
  /** The server of meetings, BigBlueButton; undefined when there is none. */
  readonly meetings: { readonly url: string; readonly secret: string } | undefined;
  /** What Zoom knows the server by; undefined when it is not set up. */
  readonly zoom: ZoomSettings | undefined;
  /** The mail server; undefined writes mail into files. */
  readonly smtp: SmtpAddress | undefined;
  /** Sender's address of mail; derived from the server's address when undefined. */
  readonly mailFrom: string | undefined;
  /** The push service; undefined sends no push notifications. */
  readonly pushBouncer: BouncerAddress | undefined;
  /** Whether clients may get pictures of users from gravatar.com. */
  readonly gravatar: boolean;
  readonly rateLimits: boolean;
  /** Nothing is recorded. */
  readonly readOnly: boolean;
  /** Nothing leaves the server by itself, and nothing is removed: of a copy, or at the first start of a release. */
  readonly quiet: boolean;
  /** Messages whose time is over are removed (`message_retention_days`). */
  readonly retention: boolean;
  /** Not for operators: the environment cannot make it less. */
  readonly passwordCost: PasswordCost;
  readonly trustProxy: boolean;
  /** How precisely events say from which address a request came. */
  readonly eventAddresses: LogAddresses;
  readonly logLevel: LogLevel;
  /** How much of callers' addresses the log has. */
  readonly logAddresses: LogAddresses;
  /** Where metrics are served; undefined when they are not. */
  readonly metricsAddress: MetricsAddress | undefined;
  /** For tests of slow behaviour: lifespan of a queue without a poll, and time to the heartbeat of a held poll. */
  readonly eventQueueIdleSeconds: number | undefined;
  readonly heartbeatSeconds: number | undefined;
  /** On shared stores: whether this process is also a stand-by projector. */
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

/** At night in Europe, in UTC. */
const SNAPSHOT_HOUR = 3;

/** A page of a file system. */
const PROBE_BYTES = 4_096;

/**
 * Reads the settings; creates the data directory, and the server's secret in it, when missing.
 * @throws SettingsError
 */
export function readSettings(given: Readonly<Record<string, string | undefined>>): Settings {
  const environment = Environment.of(given);
  const { complaint } = environment;
  if (complaint !== undefined) throw new SettingsError(complaint);
  const { SITE_URL, EVENT_STORE_URL, READ_STORE_URL, SECRET_KEY } = environment;
  const dataDir = resolve(environment.DATA_DIR);
  inDataDir(dataDir, () => {
    prepare(dataDir);
  });
  return {
    host: environment.HOST,
    port: Number(environment.PORT),
    dataDir,
    siteUrl: SITE_URL === undefined ? undefined : new URL(SITE_URL).origin,
    eventStoreUrl: EVENT_STORE_URL ?? `sqlite:${join(dataDir, 'events.db')}`,
    streamPrefix: environment.STREAM_PREFIX ?? '',
    readStoreUrl: READ_STORE_URL ?? `sqlite:${join(dataDir, 'read-models.db')}`,
    snapshotHour:
      environment.READ_MODEL_SNAPSHOT_HOUR === 'off'
        ? undefined
        : Number(environment.READ_MODEL_SNAPSHOT_HOUR ?? SNAPSHOT_HOUR),
    uploadsUrl: environment.UPLOADS_URL ?? `file:${join(dataDir, 'uploads')}`,
    uploadLimits: new UploadLimits(
      Number(environment.MAX_FILE_UPLOAD_MIB),
      environment.UPLOAD_QUOTA_MIB === undefined ? undefined : Number(environment.UPLOAD_QUOTA_MIB),
    ),
    extraEmojiType: environment.EXTRA_EMOJI_TYPE,
    uploadSettings: new UploadSettings(environment.UPLOADS_REMOVE_LOCATION === 'on'),
    secret: SECRET_KEY ?? ownSecret(join(dataDir, 'secret.key')),
    isSecretGiven: SECRET_KEY !== undefined,
    operatorTokenFile: environment.OPERATOR_TOKEN_FILE,
    organizationName: environment.REALM_NAME,
    ownerEmail: environment.OWNER_EMAIL,
    ownerName: environment.OWNER_NAME,
    ownerPassword: environment.OWNER_PASSWORD,
    jwtAuth:
      environment.JWT_AUTH_KEY === undefined
        ? undefined
        : { key: environment.JWT_AUTH_KEY, algorithms: environment.JWT_AUTH_ALGORITHMS },
    devLogin: environment.DEV_LOGIN === 'on',
    webhooks: {
      hosts: listOf(environment.WEBHOOK_HOSTS),
      networks: listOf(environment.WEBHOOK_NETWORKS),
      timeoutSeconds: Number(environment.WEBHOOK_TIMEOUT_SECONDS),
    },
    openId: openIdOf(environment),
    meetings: meetingsOf(environment),
    zoom: zoomOf(environment),
    smtp: environment.SMTP_URL === undefined ? undefined : smtpAddressOf(environment.SMTP_URL),
    mailFrom: environment.MAIL_FROM,
    pushBouncer:
      environment.PUSH_BOUNCER_URL === undefined ? undefined : bouncerAddressOf(environment.PUSH_BOUNCER_URL),
    gravatar: environment.GRAVATAR === 'on',
    rateLimits: environment.RATE_LIMITS === 'on',
    readOnly: environment.READ_ONLY === 'on',
    quiet: environment.QUIET === 'on' || environment.READ_ONLY === 'on',
    retention: environment.RETENTION === 'on',
    passwordCost: new PasswordCost(),
    trustProxy: environment.TRUST_PROXY === 'on',
    eventAddresses: environment.EVENT_ADDRESSES,
    logLevel: environment.LOG_LEVEL,
    logAddresses: environment.LOG_ADDRESSES,
    metricsAddress:
      environment.METRICS_ADDRESS === undefined ? undefined : metricsAddressOf(environment.METRICS_ADDRESS),
    eventQueueIdleSeconds: seconds(environment.EVENT_QUEUE_IDLE_SECONDS),
    heartbeatSeconds: seconds(environment.HEARTBEAT_SECONDS),
    projector: environment.PROJECTOR === 'on',
  };
}

function openIdOf(environment: Environment): OpenIdSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = environment;
  if (OIDC_ISSUER === undefined) return undefined;
  if (OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined)
    throw new SettingsError('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.');
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, name: OIDC_NAME };
}

function meetingsOf({ BIGBLUEBUTTON_URL: url, BIGBLUEBUTTON_SECRET: secret }: Environment): Settings['meetings'] {
  if (url === undefined) return undefined;
  if (secret === undefined) throw new SettingsError('BIGBLUEBUTTON_URL needs BIGBLUEBUTTON_SECRET.');
  return { url: `${url.replace(/\/+$/, '')}/`, secret };
}

function zoomOf({
  ZOOM_CLIENT_ID: clientId,
  ZOOM_CLIENT_SECRET: clientSecret,
  ZOOM_OAUTH_URL,
  ZOOM_API_URL,
}: Environment): ZoomSettings | undefined {
  if (clientId === undefined) return undefined;
  if (clientSecret === undefined) throw new SettingsError('ZOOM_CLIENT_ID needs ZOOM_CLIENT_SECRET.');
  const [oauthUrl, apiUrl] = [ZOOM_OAUTH_URL, ZOOM_API_URL].map((url) => url.replace(/\/+$/, ''));
  return { clientId, clientSecret, oauthUrl: oauthUrl ?? '', apiUrl: apiUrl ?? '' };
}

function seconds(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/**
 * Uses a file of the data directory, or the directory itself.
 * @throws SettingsError that names DATA_DIR and the path, when the file system refuses
 */
export function inDataDir<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asUnusable('DATA_DIR', path, error);
  }
}

/** Writes a test file, whether or not it is needed: a store would fail later, with a less helpful message. */
function prepare(dataDir: string): void {
  createFolderSync(dataDir);
  const probe = join(dataDir, `.probe-${process.pid}`);
  try {
    writeFileSync(probe, Buffer.alloc(PROBE_BYTES));
  } finally {
    rmSync(probe, { force: true });
  }
}

function ownSecret(path: string): string {
  const secret = inDataDir(path, () => {
    if (!existsSync(path)) createPrivateFile(path, randomBytes(32).toString('hex'));
    return readFileSync(path, 'utf8').trim();
  });
  if (secret.length < SECRET_LENGTH_MIN)
    throw new SettingsError(
      `${path} is too short to be the server's secret. Restore it from a backup; without one, remove it: a new one is ` +
        'made, keys that clients have still work, and logins give new ones.',
    );
  return secret;
}
