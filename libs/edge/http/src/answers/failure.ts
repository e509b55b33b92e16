import { BlobStoreUnavailable } from '#blob-store';
import { DamagedRecord, EventStoreUnavailable, UnreadableEvent } from '#event-store';
import type { JsonObject, RefusalCode } from '#kernel';
import { Refusal } from '#kernel';
import { HttpException } from '@nestjs/common';

/**
 * Maps refusals to HTTP statuses (rules.md §1). 401 is only for authentication, since clients sign out on it;
 * 5xx is only for faults of the server, since clients retry on it.
 */
export const STATUS: Record<RefusalCode, number> = {
  BAD_REQUEST: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  REQUEST_VARIABLE_MISSING: 400,
  REQUEST_VARIABLE_INVALID: 400,
  REQUEST_CONFUSING_VAR: 400,
  INVALID_JSON: 400,
  BAD_NARROW: 400,
  BAD_EVENT_QUEUE_ID: 400,
  STREAM_DOES_NOT_EXIST: 400,
  CHANNEL_ALREADY_EXISTS: 409,
  UNAUTHORIZED_PRINCIPAL: 400,
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: 400,
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: 400,
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: 400,
  IDEMPOTENCY_KEY_REUSED: 422,
  REACTION_ALREADY_EXISTS: 400,
  REACTION_DOES_NOT_EXIST: 400,
  BAD_IMAGE: 400,
  INVITATION_FAILED: 400,
  REALM_UPLOAD_QUOTA: 400,
  EXPECTATION_MISMATCH: 400,
  SYSTEM_GROUP_REQUIRED: 400,
  CANNOT_DEACTIVATE_GROUP_IN_USE: 400,
  CANNOT_DEACTIVATE_LAST_USER: 400,
  CSRF_FAILED: 403,
  APPROVAL_REQUIRED: 403,
  READ_ONLY: 403,
  NONEXISTENT_SUBDOMAIN: 404,
  INVALID_PUSH_DEVICE_TOKEN: 400,
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: 400,
  NO_ACTIVE_PUSH_DEVICE: 400,
  ADMIN_ACTION_REQUIRED: 400,
  // Faults of another server, which a later attempt may not meet.
  FAILED_TO_CONNECT_BOUNCER: 502,
  INTERNAL_SERVER_ERROR_ON_BOUNCER: 502,
  INVALID_BOUNCER_PUBLIC_KEY: 400,
  PUSH_SERVICE_NOT_CONFIGURED: 400,
  REQUEST_EXPIRED: 400,
  TOO_LONG_AGO: 400,
  INVALID_ZOOM_TOKEN: 400,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  AUTHENTICATION_FAILED: 401,
  USER_DEACTIVATED: 401,
  REALM_DEACTIVATED: 401,
  PASSWORD_AUTH_DISABLED: 401,
  RATE_LIMIT_HIT: 429,
  SERVER_NOT_READY: 503,
  // It passes when an operator has acted.
  PROJECTION_SET_ASIDE: 503,
  INTERNAL_SERVER_ERROR: 500,
};

/** An answer other than success. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly data: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
  /** A fault of the server: logged with its cause. */
  readonly isFault: boolean;
}

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});
const RETRY_AFTER_SECONDS = 1;
/** An operator has to act first. */
const SET_ASIDE_RETRY_AFTER_SECONDS = 60;
const NOT_READY_TEXT = 'The server is not ready. Please try again in a moment.';

/** Answer to a thrown error. Texts of unknown errors never leave the server. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof Refusal) return refused(thrown);
  if (isStoreFault(thrown)) return { ...refused(new Refusal('SERVER_NOT_READY', NOT_READY_TEXT)), isFault: true };
  const status = httpStatusOf(thrown);
  if (status === 503) return { ...refused(new Refusal('SERVER_NOT_READY', NOT_READY_TEXT)), isFault: true };
  if (status === undefined || status >= 500) return INTERNAL;
  return rejectedByFramework(status, thrown as Error);
}

const INTERNAL: Failure = {
  status: 500,
  code: 'INTERNAL_SERVER_ERROR',
  message: 'Internal server error',
  data: {},
  headers: NO_HEADERS,
  isFault: true,
};

function refused({ code, message, data }: Refusal): Failure {
  return {
    status: STATUS[code],
    // The interface has no such code: a missing resource is `BAD_REQUEST` with status 404.
    code: code === 'NOT_FOUND' ? 'BAD_REQUEST' : code,
    message,
    data,
    headers: headersOf(code, data),
    isFault: code === 'INTERNAL_SERVER_ERROR',
  };
}

function headersOf(code: RefusalCode, data: JsonObject): Readonly<Record<string, string>> {
  switch (code) {
    case 'UNAUTHORIZED':
      return { 'www-authenticate': 'Basic realm="zulip"' };
    case 'RATE_LIMIT_HIT':
    case 'SERVER_NOT_READY': {
      const seconds = data['retry-after'];
      return { 'retry-after': String(typeof seconds === 'number' ? Math.ceil(seconds) : RETRY_AFTER_SECONDS) };
    }
    case 'PROJECTION_SET_ASIDE':
      return { 'retry-after': String(SET_ASIDE_RETRY_AFTER_SECONDS) };
    case 'METHOD_NOT_ALLOWED': {
      const methods = data.allowed_methods;
      return Array.isArray(methods) ? { allow: methods.join(', ') } : NO_HEADERS;
    }
    default:
      return NO_HEADERS;
  }
}

function isStoreFault(thrown: unknown): boolean {
  return (
    thrown instanceof EventStoreUnavailable ||
    thrown instanceof BlobStoreUnavailable ||
    thrown instanceof DamagedRecord ||
    thrown instanceof UnreadableEvent
  );
}

function httpStatusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (!(thrown instanceof Error)) return undefined;
  const { statusCode } = thrown as { statusCode?: unknown };
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode <= 599 ? statusCode : undefined;
}

const FRAMEWORK_CODES: Readonly<Record<number, RefusalCode>> = {
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

const FRAMEWORK_TEXTS: Readonly<Record<number, string>> = {
  404: 'Not found',
  408: 'The request took too long to arrive',
  413: 'The request is too large',
  414: 'The address is too long',
  415: 'Unsupported media type. Send parameters as application/x-www-form-urlencoded, multipart/form-data or application/json.',
};

/**
 * Fastify or Nest rejected the request. 401 and 403 are reserved for this server's own checks, so theirs become 400.
 */
function rejectedByFramework(status: number, thrown: Error): Failure {
  const reached = status === 401 || status === 403 || status === 406 ? 400 : status;
  return {
    status: reached,
    code: FRAMEWORK_CODES[reached] ?? 'BAD_REQUEST',
    message: FRAMEWORK_TEXTS[reached] ?? firstLine(thrown.message),
    data: {},
    headers: NO_HEADERS,
    isFault: false,
  };
}

const MESSAGE_LENGTH_MAX = 200;

function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, MESSAGE_LENGTH_MAX) || 'Malformed request';
}

/** Body of an answer other than success. Data cannot overwrite the three fixed fields. */
export function failureBody({ data, message, code }: Pick<Failure, 'data' | 'message' | 'code'>): string {
  return JSON.stringify({ ...data, result: 'error', msg: message, code });
}
