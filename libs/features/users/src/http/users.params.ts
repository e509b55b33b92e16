import { boolean, integer, json, Param, Shape, text } from '#http';
import { ArrayMaxSize, IsArray, IsIn, IsInt, MaxCharacters } from '#validation';
import { ROLE } from '../model/role.js';
import { type GivenProfileValue, ProfileDataSchema } from '../profile/profile.params.js';
import { IsEmailAddress } from './is-email-address.js';

const GRAVATAR_ALIASES = ['client_extavatar'] as const;

export class FetchUserParams {
  @Param(boolean(), { aliases: GRAVATAR_ALIASES, default: true })
  client_gravatar!: boolean;

  @Param(boolean(), { default: false })
  include_custom_profile_fields!: boolean;
}

/**
 * The interface has no parameters for this request: clients that compute avatar addresses themselves ask for `null` by
 * this one.
 */
export class FetchOwnUserParams {
  @Param(boolean(), { aliases: GRAVATAR_ALIASES, default: false })
  client_gravatar!: boolean;
}

export class ListUsersParams extends FetchUserParams {
  @Param(json(), {
    optional: true,
    description: 'Only these users.',
  })
  @IsArray()
  @ArrayMaxSize(10_000)
  @IsInt({ each: true })
  user_ids?: number[];
}

export class ChangeUserParams {
  @Param(text(), { optional: true })
  @MaxCharacters(1000)
  full_name?: string;

  @Param(integer(), { optional: true })
  @IsIn(Object.values(ROLE))
  role?: number;

  @Param(text(), { optional: true, description: 'E-mail address; counts at once.' })
  @MaxCharacters(1000)
  new_email?: string;

  @Param(json(), { optional: true, description: 'Values by the IDs of the fields; null or empty removes one.' })
  @Shape(ProfileDataSchema)
  profile_data?: GivenProfileValue[];
}

export class DeactivateUserParams {
  @Param(text(), {
    optional: true,
    description: 'The user is told by mail; this is added to it. Without the parameter no mail is sent.',
  })
  @MaxCharacters(2000)
  deactivation_notification_comment?: string;
}

export class CreateUserParams {
  @Param(text())
  @MaxCharacters(254)
  email!: string;

  @Param(text())
  @MaxCharacters(1000)
  password!: string;

  @Param(text())
  @MaxCharacters(1000)
  full_name!: string;
}

export class PasswordParams {
  @Param(text())
  @MaxCharacters(1000)
  password!: string;
}

export class FetchApiKeyParams {
  @Param(text())
  @MaxCharacters(254)
  @IsEmailAddress
  username!: string;

  @Param(text())
  @MaxCharacters(1000)
  password!: string;
}
