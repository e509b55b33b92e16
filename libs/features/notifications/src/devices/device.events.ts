import { Type } from 'typebox';
import { credential, eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Owner of the devices. */
const userId = Id;
const TokenKind = Type.Union([Type.Literal('apns'), Type.Literal('fcm')]);
const PushKey = exactly({
  /** `sealed`: public key of a box that only the client can open; `secret`: key that client and server share. */
  form: Type.Union([Type.Literal('sealed'), Type.Literal('secret')]),
  /** Base64. */
  bytes: credential(Type.String()),
});
/** What is registered at the push service: an account on a device, by the client's ID for it, or a client device. */
const Target = exactly({
  kind: Type.Union([Type.Literal('account'), Type.Literal('device')]),
  id: Type.Integer(),
});

/** A device is to be notified by its token, or registered the token again. */
export const pushTokenAdded = eventType(
  'push-token.added.v1',
  exactly({ userId, kind: TokenKind, token: Type.String(), appId: Type.Union([Type.String(), Type.Null()]), at: At }),
);
export const pushTokenRemoved = eventType(
  'push-token.removed.v1',
  exactly({ userId, kind: TokenKind, token: Type.String(), at: At }),
);
export const clientDeviceAdded = eventType('client-device.added.v1', exactly({ userId, deviceId: Id, at: At }));
export const clientDeviceRemoved = eventType('client-device.removed.v1', exactly({ userId, deviceId: Id, at: At }));
/** Notifications to a client device are encrypted with another key from now on. */
export const clientDeviceKeyChanged = eventType(
  'client-device.key-changed.v1',
  exactly({ userId, deviceId: Id, keyId: Type.Integer(), key: PushKey, at: At }),
);
/** A client asked to be registered at the push service. */
export const pushRegistrationRequested = eventType(
  'push-registration.requested.v1',
  exactly({
    userId,
    target: Target,
    /** Counts up by user: outcomes of earlier requests for the same target are ignored. */
    serial: Id,
    tokenKind: TokenKind,
    /** The client's ID of a device's token. */
    tokenId: Type.Union([Type.String(), Type.Null()]),
    bouncerPublicKey: Type.String(),
    encryptedRegistration: Type.String(),
    /** Encryption key of an account; a client device has a key of its own. */
    key: Type.Union([PushKey, Type.Null()]),
    at: At,
  }),
);
const registration = { userId, target: Target, serial: Id } as const;
/** The push service could not be reached, or had a fault. */
export const pushRegistrationPostponed = eventType(
  'push-registration.postponed.v1',
  exactly({
    ...registration,
    /** No attempt failed: the operator asked for one. */
    isRetry: Type.Optional(Type.Literal(true)),
    /** Why the last attempt failed; absent in events from before it was recorded. */
    reason: Type.Optional(Type.String()),
    until: At,
    at: At,
  }),
);
export const pushRegistrationCompleted = eventType(
  'push-registration.completed.v1',
  exactly({
    ...registration,
    /** ID of the device at the push service. */
    remoteId: Id,
    /** As requested. */
    tokenId: Type.Union([Type.String(), Type.Null()]),
    at: At,
  }),
);
/** The push service refused the registration or does not know the device any more, or the operator has given it up. */
export const pushRegistrationFailed = eventType(
  'push-registration.failed.v1',
  exactly({
    ...registration,
    code: Type.String(),
    /** Whether the account or client device was registered before. */
    wasActive: Type.Boolean(),
    /** Why the operator has given it up. */
    reason: Type.Optional(Type.String()),
    at: At,
  }),
);

export const deviceEventTypes = [
  pushTokenAdded,
  pushTokenRemoved,
  clientDeviceAdded,
  clientDeviceRemoved,
  clientDeviceKeyChanged,
  pushRegistrationRequested,
  pushRegistrationPostponed,
  pushRegistrationCompleted,
  pushRegistrationFailed,
] as const;

export type PushKey = EventOf<typeof clientDeviceKeyChanged>['data']['key'];
export type PushTarget = EventOf<typeof pushRegistrationRequested>['data']['target'];
export type DeviceEvent = EventOf<(typeof deviceEventTypes)[number]>;
