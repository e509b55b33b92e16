import { Param, text } from '#http';
import { MESSAGE_LENGTH_MAX } from '#messages';
import { MaxCharacters } from '#validation';

const TITLE_LENGTH_MAX = 60;

export class AddSnippetParams {
  @Param(text())
  @MaxCharacters(TITLE_LENGTH_MAX)
  title!: string;

  @Param(text(), { description: 'Markdown.' })
  @MaxCharacters(MESSAGE_LENGTH_MAX)
  content!: string;
}

export class ChangeSnippetParams {
  @Param(text(), { optional: true })
  @MaxCharacters(TITLE_LENGTH_MAX)
  title?: string;

  @Param(text(), { optional: true, description: 'Markdown.' })
  @MaxCharacters(MESSAGE_LENGTH_MAX)
  content?: string;
}
