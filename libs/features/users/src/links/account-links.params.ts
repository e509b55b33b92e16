import { FormField } from '#pages';

export class AskResetForm {
  @FormField()
  email!: string;
}

export class ResetForm {
  @FormField()
  new_password1!: string;

  @FormField()
  new_password2!: string;

  /** A ticked box. */
  @FormField()
  log_out!: string;
}
