import { Param, text } from '#http';
import { MaxCharacters } from '#validation';

export class AddPlaygroundParams {
  @Param(text())
  @MaxCharacters(60)
  name!: string;

  @Param(text(), { description: 'Language of the code blocks that it is for, such as `Python`.' })
  @MaxCharacters(40)
  pygments_language!: string;

  @Param(text(), { description: 'A URL template (RFC 6570) over `code`: `https://e.example/?code={code}`.' })
  url_template!: string;
}
