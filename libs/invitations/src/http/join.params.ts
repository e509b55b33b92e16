import { FormField } from '#pages';

export class AddressForm {
  @FormField()
  email!: string;
}

export class RegisterForm extends AddressForm {
  /** Of the link. */
  @FormField()
  key!: string;

  @FormField()
  full_name!: string;

  @FormField()
  password!: string;

  @FormField()
  timezone!: string;
}
