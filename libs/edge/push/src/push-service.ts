import type { JsonObject } from '#kernel';

/** Network of a device: of Apple, or of Google. */
type TokenKind = 'apns' | 'fcm';

/** Asks for notifications to a device whose token only the push service can read. */
export interface PushRegistration {
  /** Permanent ID of the organization. */
  readonly realmUuid: string;
  /** The client's ID for the account on the device. */
  readonly pushAccountId: number;
  /** Public key of the push service to which the client has encrypted. */
  readonly bouncerPublicKey: string;
  readonly encryptedRegistration: string;
}

/** A notification that only the device can read. */
export interface EncryptedPush {
  /** ID that the push service gave the device. */
  readonly remoteId: number;
  readonly tokenKind: TokenKind;
  /** Shown at once; false for one that only takes others away. */
  readonly isUrgent: boolean;
  readonly pushAccountId: number;
  /** Base64. */
  readonly encryptedData: string;
}

/** A notification for devices that registered by their tokens. */
export interface PlainPush {
  readonly userId: number;
  readonly appleTokens: readonly { readonly token: string; readonly appId: string }[];
  readonly googleTokens: readonly string[];
  readonly isUrgent: boolean;
  readonly payload: JsonObject;
}

/** Devices that do not exist any more. */
export interface UnknownDevices {
  readonly remoteIds: readonly number[];
  readonly tokens: readonly string[];
}

/** Hands notifications to the networks of devices. */
export abstract class PushService {
  abstract readonly isConfigured: boolean;

  /** @returns the ID of the device at the push service @throws PushFailure */
  abstract register(registration: PushRegistration): Promise<number>;

  /**
   * @param key same key, same notification: the push service tells a device of it once
   * @throws PushFailure
   */
  abstract notify(key: string, realmUuid: string, pushes: readonly EncryptedPush[]): Promise<UnknownDevices>;

  /** @param key as of `notify` @throws PushFailure */
  abstract notifyPlainly(key: string, realmUuid: string, push: PlainPush): Promise<UnknownDevices>;
}
