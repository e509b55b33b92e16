import { boolean, Param, text } from '#http';
import { isEmailAddress } from '#users';
import { MaxCharacters, ValidateBy } from '#validation';

const IsEmailAddress = ValidateBy({
  name: 'isEmailAddress',
  validator: { validate: isEmailAddress, defaultMessage: () => 'Enter a valid email address.' },
});

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
