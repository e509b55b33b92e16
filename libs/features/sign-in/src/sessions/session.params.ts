import { Param, text } from '#http';
import { MaxCharacters } from '#validation';

export class SessionForm {
  @Param(text(), { description: 'E-mail address of the account.' })
  @MaxCharacters(254)
  username!: string;

  @Param(text())
  @MaxCharacters(1000)
  password!: string;
}
