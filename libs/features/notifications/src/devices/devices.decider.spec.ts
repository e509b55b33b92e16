import { specFor } from '#testing';
import type { DeviceEvent, PushKey } from './device.events.js';
import { DEVICES_MAX, devicesDecider, GONE, PAUSES_SECONDS, TOKENS_MAX } from './devices.decider.js';

const given = specFor(devicesDecider);
const userId = 7;
const at = 1000;
const by = { userId, at } as const;
const sealed: PushKey = { form: 'sealed', bytes: 'a2V5' };
const asked = {
  tokenKind: 'fcm',
  tokenId: null,
  bouncerPublicKey: 'Ym94',
  encryptedRegistration: 'YmxvYg==',
} as const;
const account = { kind: 'account', id: 5 } as const;
const device = { kind: 'device', id: 1 } as const;

const added = (token: string): DeviceEvent => {
  return { type: 'push-token.added.v1', data: { ...by, kind: 'fcm', token, appId: null } };
};
const removed = (token: string): DeviceEvent => {
  return { type: 'push-token.removed.v1', data: { ...by, kind: 'fcm', token } };
};
const add = (token: string) => ({ type: 'add-token', ...by, kind: 'fcm', token, appId: null }) as const;
const newDevice = (deviceId = 1): DeviceEvent => ({ type: 'client-device.added.v1', data: { ...by, deviceId } });
const requested = (serial = 1, target: typeof account | typeof device = account): DeviceEvent => ({
  type: 'push-registration.requested.v1',
  data: { ...by, target, serial, ...asked, key: target.kind === 'account' ? sealed : null },
});
const completed = (serial = 1, remoteId = 9, target: typeof account | typeof device = account): DeviceEvent => ({
  type: 'push-registration.completed.v1',
  data: { ...by, target, serial, remoteId, tokenId: null },
});
const failed = (code: string, wasActive = false): DeviceEvent => ({
  type: 'push-registration.failed.v1',
  data: { ...by, target: account, serial: 1, code, wasActive },
});
const register = (key = sealed) => ({ type: 'register-account', ...by, pushAccountId: 5, key, asked }) as const;
const finish = (outcome: object, serial = 1, when = at) =>
  ({ type: 'finish-registration', userId, at: when, target: account, serial, outcome }) as never;

test('a token is added once, and removed once', () => {
  given().when(add('x')).then(added('x'));
  given(added('x')).when(add('x')).thenNothing();
  given(added('x'))
    .when({ type: 'remove-token', ...by, kind: 'fcm', token: 'x' })
    .then(removed('x'));
  given(added('x'))
    .when({ type: 'remove-token', ...by, kind: 'apns', token: 'x' })
    .thenRefused('BAD_REQUEST');
});

test('a token beyond the limit takes the place of the oldest of its kind', () => {
  const tokens = Array.from({ length: TOKENS_MAX }, (_, index) => added(`t${index}`));
  given(...tokens)
    .when(add('new'))
    .then(removed('t0'), added('new'));
  given(...tokens)
    .when({ type: 'add-token', ...by, kind: 'apns', token: 'aa', appId: 'app' })
    .then({ type: 'push-token.added.v1', data: { ...by, kind: 'apns', token: 'aa', appId: 'app' } });
});

test('IDs of client devices count up, and there is a limit', () => {
  given()
    .when({ type: 'add-device', ...by })
    .then(newDevice(1));
  given(newDevice(1), { type: 'client-device.removed.v1', data: { ...by, deviceId: 1 } })
    .when({ type: 'add-device', ...by })
    .then(newDevice(2));
  given(...Array.from({ length: DEVICES_MAX }, (_, index) => newDevice(index + 1)))
    .when({ type: 'add-device', ...by })
    .thenRefused('BAD_REQUEST');
  given(newDevice(1))
    .when({ type: 'remove-device', ...by, deviceId: 2 })
    .thenRefused('BAD_REQUEST');
});

test('an account registers again when it failed, or with another key', () => {
  given().when(register()).then(requested());
  given(requested()).when(register()).thenNothing();
  given(requested(), completed()).when(register()).thenNothing();
  given(requested(), failed('REQUEST_EXPIRED')).when(register()).then(requested(2));
  const other: PushKey = { form: 'secret', bytes: 'b3RoZXI=' };
  given(requested())
    .when(register(other))
    .then({ ...requested(2), data: { ...requested(2).data, key: other } } as DeviceEvent);
});

test('the outcome of the last request counts, once', () => {
  const registered = { kind: 'registered', remoteId: 9 };
  given(requested()).when(finish(registered)).then(completed());
  given(requested(), completed()).when(finish(registered)).thenNothing();
  given(requested(), failed('X'), requested(2)).when(finish(registered)).thenNothing();
});

test('an attempt that may pass is repeated at growing distances, and not for ever', () => {
  const later = { kind: 'later', code: 'FAILED_TO_CONNECT_BOUNCER', reason: 'No answer.' };
  const postponed: DeviceEvent[] = [];
  let now = at;
  for (const pause of PAUSES_SECONDS) {
    const event = {
      type: 'push-registration.postponed.v1',
      data: { userId, at: now, target: account, serial: 1, reason: 'No answer.', until: now + pause },
    } as const;
    given(requested(), ...postponed)
      .when(finish(later, 1, now))
      .then(event);
    postponed.push(event);
    // Another process that looked at the same time.
    given(requested(), ...postponed)
      .when(finish(later, 1, now + pause - 1))
      .thenNothing();
    now += pause;
  }
  given(requested(), ...postponed)
    .when(finish(later, 1, now))
    .then({ ...failed(later.code), data: { ...failed(later.code).data, at: now } } as DeviceEvent);
});

test('the operator has a registration tried at once, or gives it up; clients may register again', () => {
  const target = { userId, target: account, serial: 1 } as const;
  const postponed = { type: 'push-registration.postponed.v1', data: { ...target, at, until: at + 5 } } as const;
  const hasten = { type: 'hasten-registration', userId, at: at + 1, target: account } as const;
  const hastened = {
    type: 'push-registration.postponed.v1',
    data: { ...target, isRetry: true, at: at + 1, until: at + 1 },
  } as const;
  const drop = { type: 'drop-registration', userId, at: at + 1, target: account, reason: 'It hangs.' } as const;
  const dropped = {
    type: 'push-registration.failed.v1',
    data: { ...target, code: 'FAILED_TO_CONNECT_BOUNCER', wasActive: false, reason: 'It hangs.', at: at + 1 },
  } as const;
  given(requested(), postponed).when(hasten).then(hastened);
  // It is being tried, or over.
  given(requested(), postponed, hastened).when(hasten).thenNothing();
  given(requested(), completed()).when(hasten).thenNothing();
  given().when(hasten).thenNothing();
  // It is none of the attempts, after the last of which nothing is tried any more.
  const later = { kind: 'later', code: 'FAILED_TO_CONNECT_BOUNCER', reason: 'No answer.' };
  given(requested(), postponed, hastened)
    .when(finish(later, 1, at + 1))
    .then({
      type: 'push-registration.postponed.v1',
      data: { ...target, reason: 'No answer.', at: at + 1, until: at + 1 + PAUSES_SECONDS[1] },
    });
  given(requested(), postponed).when(drop).then(dropped);
  given(requested(), completed()).when(drop).thenNothing();
  given(requested(), dropped).when(drop).thenNothing();
  given(requested(), dropped).when(register()).then(requested(2));
});

test('a registration of a client device needs its key', () => {
  const change = { type: 'change-device', ...by, deviceId: 1, asked } as const;
  given(newDevice())
    .when({ ...change, key: undefined })
    .thenRefused('BAD_REQUEST');
  given(newDevice())
    .when({ ...change, key: { keyId: 3, key: sealed } })
    .then(
      { type: 'client-device.key-changed.v1', data: { ...by, deviceId: 1, keyId: 3, key: sealed } },
      requested(1, device),
    );
  given()
    .when({ ...change, key: undefined })
    .thenRefused('BAD_REQUEST');
});

test('devices that the push service does not know any more are forgotten', () => {
  given(added('x'), requested(), completed())
    .when({ type: 'forget', ...by, remoteIds: [9], tokens: ['x', 'y'] })
    .then(removed('x'), failed(GONE, true));
  given(requested(), completed())
    .when({ type: 'forget', ...by, remoteIds: [8], tokens: [] })
    .thenNothing();
});
