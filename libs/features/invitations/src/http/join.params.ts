import { FormField } from '#pages';

export class AddressForm {
  @FormField()
  email!: string;
}

export class RegisterForm extends AddressForm {
  /** Key in the path of the link. */
  @FormField()
  key!: string;

  @FormField()
  full_name!: string;

  @FormField()
  password!: string;

  @FormField()
  timezone!: string;
}
