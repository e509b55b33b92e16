import { ValidateBy } from '#validation';
import { isEmailAddress } from '../email-address.js';

/** Constrains a parameter to the form of an e-mail address. */
export const IsEmailAddress = ValidateBy({
  name: 'isEmailAddress',
  validator: { validate: isEmailAddress, defaultMessage: () => 'Enter a valid email address.' },
});
