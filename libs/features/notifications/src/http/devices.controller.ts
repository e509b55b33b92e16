import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import { badRequest, Refusal } from '#kernel';
import type { User } from '#users/model';
import { integer, object } from '#wire';
import { ChangeDevicesCommand } from '../devices/change-devices.js';
import type { DeviceRequest } from '../devices/device.commands.js';
import type { DeviceEvent } from '../devices/device.events.js';
import { acceptPushKey, acceptRegistration } from '../devices/push-keys.js';
import { TestNotificationCommand, TestPlainNotificationCommand } from '../devices/test-notification.js';
import {
  AddAppleTokenParams,
  allOrNone,
  AppleTokenParams,
  DeviceIdParams,
  EncryptedTestNotificationParams,
  GoogleTokenParams,
  RegisterPushParams,
  TestNotificationParams,
} from './devices.params.js';

/** Clients name this path differently. */
const APPLE_PATHS = ['users/me/apns_device_token', 'users/me/platformpush_device_token'];

/** The caller's devices (endpoints.md §14). */
@ApiTags('push notifications')
@Controller('api/v1')
export class DevicesController {
  constructor(private readonly commands: CommandBus) {}

  @Post(APPLE_PATHS)
  @Answers()
  @Summary("Register a device of Apple's push service", 'A device that is registered already is no error.')
  async addApple(
    @Caller() actor: User,
    @Params(AddAppleTokenParams) { token, appid }: AddAppleTokenParams,
  ): Promise<void> {
    await this.#run(actor, { type: 'add-token', kind: 'apns', token, appId: appid });
  }

  @Delete(APPLE_PATHS)
  @Answers()
  @Summary("Remove a device of Apple's push service", 'A device that is not registered is refused.')
  async removeApple(@Caller() actor: User, @Params(AppleTokenParams) { token }: AppleTokenParams): Promise<void> {
    await this.#run(actor, { type: 'remove-token', kind: 'apns', token });
  }

  @Post('users/me/android_gcm_reg_id')
  @Answers()
  @Summary("Register a device of Google's push service", 'A device that is registered already is no error.')
  async addGoogle(@Caller() actor: User, @Params(GoogleTokenParams) { token }: GoogleTokenParams): Promise<void> {
    await this.#run(actor, { type: 'add-token', kind: 'fcm', token, appId: null });
  }

  @Delete('users/me/android_gcm_reg_id')
  @Answers()
  @Summary("Remove a device of Google's push service", 'A device that is not registered is refused.')
  async removeGoogle(@Caller() actor: User, @Params(GoogleTokenParams) { token }: GoogleTokenParams): Promise<void> {
    await this.#run(actor, { type: 'remove-token', kind: 'fcm', token });
  }

  @Post('register_client_device')
  @Answers(object({ device_id: integer }))
  @Summary('Register a client device', 'For clients of later feature levels.')
  async addDevice(@Caller() actor: User): Promise<{ device_id: number }> {
    const [added] = await this.#run(actor, { type: 'add-device' });
    if (added?.type !== 'client-device.added.v1') throw new Error('A device was accepted and not added.');
    return { device_id: added.data.deviceId };
  }

  @Post('remove_client_device')
  @Answers()
  @Summary('Remove a client device', 'Its push registration ends.')
  async removeDevice(@Caller() actor: User, @Params(DeviceIdParams) { device_id }: DeviceIdParams): Promise<void> {
    await this.#run(actor, { type: 'remove-device', deviceId: device_id });
  }

  @Post('mobile_push/register')
  @Answers()
  @Summary('Register for encrypted push notifications', 'An account on a device, or a client device.')
  async register(@Caller() actor: User, @Params(RegisterPushParams) params: RegisterPushParams): Promise<void> {
    const makeRequest = params.device_id === undefined ? ofAccount(params) : ofDevice(params.device_id, params);
    await this.commands.execute(new ChangeDevicesCommand(actor, makeRequest, true));
  }

  @Post('mobile_push/e2ee/test_notification')
  @Answers()
  @Summary('Send an encrypted test notification', "To one of the caller's devices, or all.")
  async testEncrypted(
    @Caller() actor: User,
    @Params(EncryptedTestNotificationParams) { push_account_id }: EncryptedTestNotificationParams,
  ): Promise<void> {
    await this.commands.execute(new TestNotificationCommand(actor, push_account_id));
  }

  @Post('mobile_push/test_notification')
  @Answers()
  @Summary('Send a test notification', "To one of the caller's devices, or all.")
  async test(@Caller() actor: User, @Params(TestNotificationParams) { token }: TestNotificationParams): Promise<void> {
    await this.commands.execute(new TestPlainNotificationCommand(actor, token));
  }

  #run(actor: User, request: DeviceRequest): Promise<readonly DeviceEvent[]> {
    return this.commands.execute(new ChangeDevicesCommand(actor, () => request));
  }
}

/** @throws Refusal REQUEST_VARIABLE_MISSING */
function ofAccount(params: RegisterPushParams): () => DeviceRequest {
  const tokenKind = required(params.token_kind, 'token_kind');
  const pushAccountId = required(params.push_account_id, 'push_account_id');
  const key = required(params.push_key, 'push_public_key');
  const bouncerPublicKey = required(params.bouncer_public_key, 'bouncer_public_key');
  const encryptedRegistration = required(params.encrypted_push_registration, 'encrypted_push_registration');
  return () => ({
    type: 'register-account',
    pushAccountId,
    key: acceptPushKey(key),
    asked: acceptRegistration({ tokenKind, tokenId: null, bouncerPublicKey, encryptedRegistration }),
  });
}

/** @throws Refusal BAD_REQUEST */
function ofDevice(deviceId: number, params: RegisterPushParams): () => DeviceRequest {
  const keyed = allOrNone({ keyId: params.push_key_id, key: params.push_key }, 'push_key_id, push_key');
  const asked = allOrNone(
    {
      tokenKind: params.token_kind,
      tokenId: params.token_id,
      bouncerPublicKey: params.bouncer_public_key,
      encryptedRegistration: params.encrypted_push_registration,
    },
    'token_kind, token_id, bouncer_public_key, encrypted_push_registration',
  );
  if (keyed === undefined && asked === undefined) throw badRequest('Give a push key, or a registration.');
  return () => ({
    type: 'change-device',
    deviceId,
    key: keyed && { keyId: keyed.keyId, key: acceptPushKey(keyed.key) },
    asked: asked && acceptRegistration(asked),
  });
}

function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined)
    throw new Refusal('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name });
  return value;
}
