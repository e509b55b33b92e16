import { blobStoreComplaint } from '#blob-store';
import { assertStreamPrefix, eventStoreComplaint } from '#event-store';
import { LOG_ADDRESSES, LOG_LEVELS, type LogAddresses, type LogLevel } from '#http';
import { smtpAddressOf } from '#mail';
import { EXTRA_EMOJI_TYPES, type ExtraEmojiTypeName } from '#pictures/model';
import { bouncerAddressOf } from '#push';
import { readStoreComplaint } from '#read-store';
import { brokenConstraint, constraintsOf, IsIn, stacked, ValidateBy } from '#validation';

import { complaining, complaintOf } from './complaint.js';
import { IsIssuer, IsJwtKey, IsMeetingsUrl, IsNotForProduction, IsZoomUrl } from './sign-in-constraints.js';
import { metricsAddressOf } from './metrics-address.js';
import { AreHosts, AreNetworks } from '../webhooks.js';

type Switch = 'on' | 'off';

/** Minimum length that cannot be guessed. */
export const SECRET_LENGTH_MIN = 32;

function WholeNumber(min: number, max: number): PropertyDecorator {
  return ValidateBy({
    name: 'isWholeNumber',
    constraints: [min, max],
    validator: {
      validate: (text: string) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      defaultMessage: () => '$property must be a whole number from $constraint1 to $constraint2.',
    },
  });
}

function OneOf(...values: readonly string[]): PropertyDecorator {
  return IsIn(values, { message: `$property must be one of: ${values.join(', ')}.` });
}

const IsSecret = ValidateBy({
  name: 'isSecret',
  validator: {
    validate: (text: string) => text.length >= SECRET_LENGTH_MIN,
    defaultMessage: () => `$property needs at least ${SECRET_LENGTH_MIN} characters that nobody can guess.`,
  },
});

const IsSiteUrl = stacked(
  ValidateBy({
    name: 'isHttpAddress',
    validator: {
      validate: (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      defaultMessage: () => '$property must be an http or https address.',
    },
  }),
  ValidateBy({
    name: 'hasNoPath',
    validator: {
      validate(text: string) {
        const { pathname, search, hash } = new URL(text);
        return `${pathname}${search}${hash}` === '/';
      },
      defaultMessage: () => '$property must be an address without a path: clients expect the interface at its root.',
    },
  }),
);

/** Why the text is no address of a mail server. */
function smtpComplaint(text: string): string | undefined {
  try {
    smtpAddressOf(text);
    return undefined;
  } catch (error) {
    // The address may contain a password, which errors of the system do not repeat.
    return error instanceof TypeError && 'code' in error
      ? 'it is no address of a mail server: smtp://user:password@host:port or smtps://….'
      : error instanceof Error
        ? error.message
        : 'it cannot be used.';
  }
}

const IsSmtpUrl = complaining('isSmtpUrl', smtpComplaint);
const IsEventStoreUrl = complaining('isEventStoreUrl', eventStoreComplaint);
const IsReadStoreUrl = complaining('isReadStoreUrl', readStoreComplaint);
const IsUploadsUrl = complaining('isUploadsUrl', blobStoreComplaint);
const IsBouncerUrl = complaining('isBouncerUrl', (text) => complaintOf(() => bouncerAddressOf(text)));

const IsMetricsAddress = complaining('isMetricsAddress', (text) => complaintOf(() => metricsAddressOf(text)));

const IsMailAddress = ValidateBy({
  name: 'isMailAddress',
  validator: {
    validate: (text: string) => /^[^\s@"(),:;<>[\\\]]+@[^\s@"(),:;<>[\\\]]+$/.test(text),
    defaultMessage: () => '$property must be an e-mail address.',
  },
});

const IsStreamPrefix = stacked(
  complaining('isStreamPrefix', (text) =>
    complaintOf(() => {
      assertStreamPrefix(text);
    }),
  ),
  ValidateBy({
    name: 'hasSharedEventStore',
    validator: {
      validate: (_, given) => !((given?.object as Environment).EVENT_STORE_URL ?? 'sqlite:').startsWith('sqlite:'),
      defaultMessage: () => '$property is for an event store that others share; EVENT_STORE_URL is a file.',
    },
  }),
);

/** Hours of a day, and none. */
const IsSnapshotHour = stacked(
  OneOf('off', ...Array.from({ length: 24 }, (_, hour) => String(hour))),
  ValidateBy({
    name: 'hasReadModelsInFile',
    validator: {
      validate: (_, given) => ((given?.object as Environment).READ_STORE_URL ?? 'sqlite:').startsWith('sqlite:'),
      defaultMessage: () => '$property is for read models in a file; READ_STORE_URL is a server.',
    },
  }),
);

/** Settings of the server by the names of their environment variables (docs/operations.md has the table). */
export class Environment {
  readonly HOST: string = '127.0.0.1';

  @WholeNumber(0, 65_535)
  readonly PORT: string = '9991';

  readonly DATA_DIR: string = './data';

  @IsSiteUrl
  readonly SITE_URL: string | undefined = undefined;

  @IsEventStoreUrl
  readonly EVENT_STORE_URL: string | undefined = undefined;

  @IsStreamPrefix
  readonly STREAM_PREFIX: string | undefined = undefined;

  @IsReadStoreUrl
  readonly READ_STORE_URL: string | undefined = undefined;

  @IsSnapshotHour
  readonly READ_MODEL_SNAPSHOT_HOUR: string | undefined = undefined;

  @IsUploadsUrl
  readonly UPLOADS_URL: string | undefined = undefined;

  @WholeNumber(1, 1024)
  readonly MAX_FILE_UPLOAD_MIB: string = '25';

  @WholeNumber(0, 999_999_999)
  readonly UPLOAD_QUOTA_MIB: string | undefined = undefined;

  @OneOf('on', 'off')
  readonly UPLOADS_REMOVE_LOCATION: Switch = 'off';

  @IsSecret
  readonly SECRET_KEY: string | undefined = undefined;

  readonly OPERATOR_TOKEN_FILE: string | undefined = undefined;

  readonly REALM_NAME: string = 'Scrollback';

  readonly OWNER_EMAIL: string = 'owner@localhost.localdomain';

  readonly OWNER_NAME: string = 'Owner';

  readonly OWNER_PASSWORD: string | undefined = undefined;

  @IsJwtKey
  readonly JWT_AUTH_KEY: string | undefined = undefined;

  readonly JWT_AUTH_ALGORITHMS: string = 'HS256';

  @IsIssuer
  readonly OIDC_ISSUER: string | undefined = undefined;

  readonly OIDC_CLIENT_ID: string | undefined = undefined;

  readonly OIDC_CLIENT_SECRET: string | undefined = undefined;

  readonly OIDC_NAME: string = 'OpenID Connect';

  @OneOf('on', 'off')
  @IsNotForProduction
  readonly DEV_LOGIN: Switch = 'off';

  readonly NODE_ENV: string | undefined = undefined;

  @AreHosts
  readonly WEBHOOK_HOSTS: string | undefined = undefined;

  @AreNetworks
  readonly WEBHOOK_NETWORKS: string | undefined = undefined;

  @WholeNumber(1, 60)
  readonly WEBHOOK_TIMEOUT_SECONDS: string = '10';

  @IsMeetingsUrl
  readonly BIGBLUEBUTTON_URL: string | undefined = undefined;

  readonly BIGBLUEBUTTON_SECRET: string | undefined = undefined;

  readonly ZOOM_CLIENT_ID: string | undefined = undefined;

  readonly ZOOM_CLIENT_SECRET: string | undefined = undefined;

  @IsZoomUrl
  readonly ZOOM_OAUTH_URL: string = 'https://zoom.us';

  @IsZoomUrl
  readonly ZOOM_API_URL: string = 'https://api.zoom.us';

  @IsSmtpUrl
  readonly SMTP_URL: string | undefined = undefined;

  @IsMailAddress
  readonly MAIL_FROM: string | undefined = undefined;

  @IsBouncerUrl
  readonly PUSH_BOUNCER_URL: string | undefined = undefined;

  @OneOf(...EXTRA_EMOJI_TYPES)
  readonly EXTRA_EMOJI_TYPE: ExtraEmojiTypeName = EXTRA_EMOJI_TYPES[0];

  @OneOf('on', 'off')
  readonly GRAVATAR: Switch = 'on';

  @OneOf('on', 'off')
  readonly RATE_LIMITS: Switch = 'on';

  @OneOf('on', 'off')
  readonly READ_ONLY: Switch = 'off';

  @OneOf('on', 'off')
  readonly QUIET: Switch = 'off';

  @OneOf('on', 'off')
  readonly RETENTION: Switch = 'off';

  @OneOf('on', 'off')
  readonly TRUST_PROXY: Switch = 'off';

  @IsMetricsAddress
  readonly METRICS_ADDRESS: string | undefined = undefined;

  @OneOf(...LOG_ADDRESSES)
  readonly EVENT_ADDRESSES: LogAddresses = 'short';

  @OneOf(...LOG_LEVELS)
  readonly LOG_LEVEL: LogLevel = 'info';

  @OneOf(...LOG_ADDRESSES)
  readonly LOG_ADDRESSES: LogAddresses = 'short';

  @WholeNumber(1, 604_800)
  readonly EVENT_QUEUE_IDLE_SECONDS: string | undefined = undefined;

  @WholeNumber(1, 600)
  readonly HEARTBEAT_SECONDS: string | undefined = undefined;

  @OneOf('on', 'off')
  readonly PROJECTOR: Switch = 'on';

  /**
   * An empty value counts as absent: the result of `SETTING=` in a file of settings, or of a variable that a template
   * did not fill.
   */
  static of(given: Readonly<Record<string, string | undefined>>): Environment {
    const environment = new Environment();
    const values = Object.keys(environment).map((name) => [name, given[name]] as const);
    return Object.assign(environment, Object.fromEntries(values.filter(([, value]) => (value ?? '') !== '')));
  }

  /** Describes the first invalid variable. */
  get complaint(): string | undefined {
    const constraints = constraintsOf(Environment);
    for (const [name, value] of Object.entries(this)) {
      const ofName = value === undefined ? undefined : constraints.get(name);
      const broken = ofName && brokenConstraint(ofName, value, this);
      if (broken !== undefined) return broken.describe(name, value, this);
    }
    return undefined;
  }
}
