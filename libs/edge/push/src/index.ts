export { BouncerPushService } from './bouncer-push-service.js';
export { type BouncerAddress, bouncerAddressOf } from './bouncer-address.js';
export { NoPushService } from './no-push-service.js';
export { PushReports } from './push-reports.js';
export { PushFailure } from './push-failure.js';
export { type EncryptedPush, type PlainPush, PushService, type UnknownDevices } from './push-service.js';
