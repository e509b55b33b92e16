import { badRequest } from '#kernel';
import { integer, Param, text, unquoted } from '#http';
import { IsIn, Max, Min, ValidateBy } from '#validation';

const TOKEN_LENGTH_MAX = 4_096;
const KEY_ID_MAX = 0xffff_ffff;

const IsToken = ValidateBy({
  name: 'isToken',
  validator: {
    validate: (token: string) => token !== '' && token.length <= TOKEN_LENGTH_MAX,
    defaultMessage: () => 'Empty or invalid length token',
  },
});

const IsAppleToken = ValidateBy({
  name: 'isAppleToken',
  validator: { validate: (token: string) => /^[0-9a-f]+$/i.test(token), defaultMessage: () => 'Invalid APNS token' },
});

const IsAppId = ValidateBy({
  name: 'isAppId',
  validator: { validate: (id: string) => /^[.a-zA-Z0-9-]{1,200}$/.test(id), defaultMessage: () => 'Invalid app ID' },
});

export class AppleTokenParams {
  @Param(text(), { description: 'Hexadecimal.' })
  @IsToken
  @IsAppleToken
  token!: string;
}

export class AddAppleTokenParams extends AppleTokenParams {
  @Param(text(), { description: 'ID of the app that makes the request.' })
  @IsAppId
  appid!: string;
}

export class GoogleTokenParams {
  @Param(text())
  @IsToken
  token!: string;
}

export class TestNotificationParams {
  @Param(text(), { optional: true, description: 'Of one device; all devices of the caller without it.' })
  token?: string;
}

export class EncryptedTestNotificationParams {
  @Param(integer(), { optional: true, description: 'Of one device; all devices of the caller without it.' })
  push_account_id?: number;
}

export class DeviceIdParams {
  @Param(integer())
  device_id!: number;
}

/** With `device_id` as clients of feature level 468 send it, without it as those of level 406. */
export class RegisterPushParams {
  @Param(unquoted(), { optional: true })
  @IsIn(['fcm', 'apns'])
  token_kind?: 'fcm' | 'apns';

  @Param(integer(), { optional: true, description: "The client's ID for the account on the device." })
  push_account_id?: number;

  @Param(text(), {
    name: 'push_key',
    aliases: ['push_public_key'],
    optional: true,
    description:
      'Base64 of 32 bytes, the public key of a libsodium box, or of 33, a shared key after a first byte 0x31.',
  })
  push_key?: string;

  @Param(text(), { optional: true, description: 'Public key of the push service, to which the client has encrypted.' })
  bouncer_public_key?: string;

  @Param(text(), { optional: true, description: 'Base64.' })
  encrypted_push_registration?: string;

  @Param(integer(), { optional: true, description: 'From `POST /register_client_device`.' })
  device_id?: number;

  @Param(integer(), { optional: true })
  @Min(0)
  @Max(KEY_ID_MAX)
  push_key_id?: number;

  @Param(text(), { optional: true, description: "The client's ID of its token." })
  token_id?: string;
}

type AllGiven<Values> = { readonly [Name in keyof Values]: Exclude<Values[Name], undefined> };

/** @throws Refusal BAD_REQUEST when some of the values are given, and not all */
export function allOrNone<Values extends object>(values: Values, names: string): AllGiven<Values> | undefined {
  const given = Object.values(values).filter((value) => value !== undefined);
  if (given.length === 0) return undefined;
  if (given.length < Object.keys(values).length) throw badRequest(`Give either all or none of: ${names}.`);
  return values as AllGiven<Values>;
}
