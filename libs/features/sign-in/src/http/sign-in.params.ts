import { boolean, Param, text } from '#http';
import { IsEmailAddress } from '#users';
import { MaxCharacters } from '#validation';

export class DevFetchApiKeyParams {
  @Param(text(), { description: 'E-mail address of the account.' })
  @MaxCharacters(254)
  @IsEmailAddress
  username!: string;
}

export class JwtFetchApiKeyParams {
  @Param(text(), { default: '', description: 'Signed JSON web token with the claim `email`.' })
  token!: string;

  @Param(boolean(), { default: false, description: 'Adds the user to the answer.' })
  include_profile!: boolean;
}
