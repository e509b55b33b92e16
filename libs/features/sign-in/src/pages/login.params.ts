import { Param, text } from '#http';
import { MaxCharacters } from '#validation';

export class LoginPageParams {
  @Param(text(), { optional: true })
  next?: string;
}

export class LoginForm {
  @Param(text())
  @MaxCharacters(254)
  username!: string;

  @Param(text())
  @MaxCharacters(1000)
  password!: string;

  @Param(text(), { optional: true })
  next?: string;
}

export class OpenIdStartParams {
  @Param(text(), { optional: true })
  next?: string;

  @Param(text(), { optional: true })
  mobile_flow_otp?: string;
}
