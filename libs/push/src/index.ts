export { BouncerPushService } from './bouncer-push-service.js';
export { type BouncerAddress, bouncerAddressOf } from './bouncer-address.js';
export { NoPushService } from './no-push-service.js';
export { PushReports } from './push-reports.js';
export { PushFailure, type PushFailureKind } from './push-failure.js';
export {
  type EncryptedPush,
  type PlainPush,
  type PushRegistration,
  PushService,
  type TokenKind,
  type UnknownDevices,
} from './push-service.js';
