import { type JsonObject, parsedJson, textUpTo } from '#kernel';
import type { BouncerAddress } from './bouncer-address.js';
import { PushFailure } from './push-failure.js';
import {
  type EncryptedPush,
  type PlainPush,
  type PushRegistration,
  PushService,
  type UnknownDevices,
} from './push-service.js';

/** Time for a whole request: a user waits for the answer to a test notification. */
const TIMEOUT_MS = 10_000;
/** An answer names devices: 1,000 tokens of 64 bytes fit. */
const ANSWER_BYTES_MAX = 128 * 1024;
const CODE = /^[A-Z_]{1,60}$/;

/** A push service that is reached over HTTP. It keeps the certificates for the networks of devices. */
export class BouncerPushService extends PushService {
  override readonly isConfigured = true;

  constructor(
    private readonly address: BouncerAddress,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {
    super();
  }

  override async register(registration: PushRegistration): Promise<number> {
    const { realmUuid, pushAccountId, bouncerPublicKey, encryptedRegistration } = registration;
    const { device_id } = await this.#post('/api/v1/remotes/push/e2ee/register', {
      realm_uuid: realmUuid,
      push_account_id: pushAccountId,
      bouncer_public_key: bouncerPublicKey,
      encrypted_push_registration: encryptedRegistration,
    });
    if (!isId(device_id)) throw misunderstood();
    return device_id;
  }

  override async notify(key: string, realmUuid: string, pushes: readonly EncryptedPush[]): Promise<UnknownDevices> {
    const answer = await this.#post(
      '/api/v1/remotes/push/e2ee/notify',
      { realm_uuid: realmUuid, push_requests: pushes.map(requestOf) },
      key,
    );
    return { remoteIds: listOf(answer['delete_device_ids'], isId), tokens: [] };
  }

  override async notifyPlainly(key: string, realmUuid: string, push: PlainPush): Promise<UnknownDevices> {
    const { userId, appleTokens, googleTokens, isUrgent, payload } = push;
    const answer = await this.#post(
      '/api/v1/remotes/push/notify',
      {
        user_id: userId,
        realm_uuid: realmUuid,
        gcm_payload: payload,
        apns_payload: { custom: { zulip: payload } },
        gcm_options: { priority: isUrgent ? 'high' : 'normal' },
        android_devices: [...googleTokens],
        apple_devices: appleTokens.map(({ token, appId }) => ({ token, ios_app_id: appId })),
      },
      key,
    );
    const deleted = isObject(answer['deleted_devices']) ? answer['deleted_devices'] : {};
    const tokens = [deleted['android_devices'], deleted['apple_devices']].flatMap((list) => listOf(list, isText));
    return { remoteIds: [], tokens };
  }

  async #post(path: string, body: object, key?: string): Promise<Record<string, unknown>> {
    const { url, authorization } = this.address;
    const signal = AbortSignal.timeout(this.timeoutMs);
    let response: Response, text: string;
    try {
      response = await fetch(`${url}${path}`, {
        method: 'POST',
        redirect: 'error',
        signal,
        headers: {
          'content-type': 'application/json',
          ...(authorization === undefined ? {} : { authorization }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      });
      text = await limitedText(response);
    } catch (error) {
      if (error instanceof PushFailure) throw error;
      // What the network reports names addresses, and no token.
      throw new PushFailure('unreachable', `The push service cannot be reached: ${reasonOf(error)}`);
    }
    return answerOf(response.status, text);
  }
}

function requestOf({ remoteId, tokenKind, isUrgent, pushAccountId, encryptedData }: EncryptedPush): JsonObject {
  return {
    device_id: remoteId,
    payload: { push_account_id: pushAccountId, encrypted_data: encryptedData },
    ...(tokenKind === 'apns'
      ? { apns_priority: isUrgent ? 10 : 5, apns_push_type: isUrgent ? 'alert' : 'background' }
      : { fcm_priority: isUrgent ? 'high' : 'normal' }),
  };
}

/** Reads up to the limit, and closes the connection beyond it. */
async function limitedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const tooLong = () => new PushFailure('unreachable', 'The answer of the push service is too long.');
  return textUpTo(ANSWER_BYTES_MAX, body, tooLong);
}

/** @throws PushFailure unless the answer is a success */
function answerOf(status: number, text: string): Record<string, unknown> {
  if (status >= 500 || status === 408 || status === 429)
    throw new PushFailure('fault', `The push service answers with status ${status}.`);
  const answer = parsed(text);
  if (status === 200 && answer?.['result'] === 'success') return answer;
  if (status < 400 || answer?.['result'] !== 'error') throw misunderstood();
  const { code } = answer;
  const known = typeof code === 'string' && CODE.test(code) ? code : 'BAD_REQUEST';
  throw new PushFailure('refused', `The push service refuses a request: ${known}.`, known);
}

function parsed(text: string): Record<string, unknown> | undefined {
  const answer = parsedJson(text);
  return isObject(answer) ? answer : undefined;
}

function misunderstood(): PushFailure {
  return new PushFailure('unreachable', 'The answer of the push service cannot be understood.');
}

/** Code of the network's error, or its kind: neither contains what was sent. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: unknown; readonly cause?: unknown };
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return [code, name].find((text) => typeof text === 'string') ?? 'unknown';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function listOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): readonly Item[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isItem) : [];
}
