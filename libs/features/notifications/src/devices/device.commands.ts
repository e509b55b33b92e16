import type { PushKey, PushTarget } from './device.events.js';

/** What a client asks the push service for. */
export interface AskedRegistration {
  readonly tokenKind: 'apns' | 'fcm';
  readonly tokenId: string | null;
  readonly bouncerPublicKey: string;
  readonly encryptedRegistration: string;
}

/** How an attempt to register at the push service ended. */
export type RegistrationOutcome =
  | { readonly kind: 'registered'; readonly remoteId: number }
  | { readonly kind: 'later'; readonly code: string; readonly reason: string }
  | { readonly kind: 'never'; readonly code: string };

export type DeviceRequest =
  | {
      readonly type: 'add-token';
      readonly kind: 'apns' | 'fcm';
      readonly token: string;
      readonly appId: string | null;
    }
  | { readonly type: 'remove-token'; readonly kind: 'apns' | 'fcm'; readonly token: string }
  | { readonly type: 'add-device' }
  | { readonly type: 'remove-device'; readonly deviceId: number }
  | {
      readonly type: 'register-account';
      readonly pushAccountId: number;
      readonly key: PushKey;
      readonly asked: AskedRegistration;
    }
  | {
      readonly type: 'change-device';
      readonly deviceId: number;
      readonly key: { readonly keyId: number; readonly key: PushKey } | undefined;
      readonly asked: AskedRegistration | undefined;
    }
  | {
      readonly type: 'finish-registration';
      readonly target: PushTarget;
      readonly serial: number;
      readonly outcome: RegistrationOutcome;
    }
  /** The operator asks for an attempt at once. */
  | { readonly type: 'hasten-registration'; readonly target: PushTarget }
  /** The operator gives it up. */
  | { readonly type: 'drop-registration'; readonly target: PushTarget; readonly reason: string }
  /** The push service does not know these devices any more. */
  | { readonly type: 'forget'; readonly remoteIds: readonly number[]; readonly tokens: readonly string[] };

/** @property at seconds since the epoch */
export type DeviceCommand = DeviceRequest & { readonly userId: number; readonly at: number };
