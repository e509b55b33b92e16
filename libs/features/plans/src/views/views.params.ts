import { boolean, Param, text } from '#http';
import { MaxCharacters } from '#validation';
import { FRAGMENT_LENGTH_MAX } from './views.decider.js';

const NAME_LENGTH_MAX = 100;

export class AddViewParams {
  @Param(text(), { description: 'The part of the address behind `#`: `narrow/is/dm`.' })
  @MaxCharacters(FRAGMENT_LENGTH_MAX)
  fragment!: string;

  @Param(boolean())
  is_pinned!: boolean;

  @Param(text(), { optional: true, description: 'Of views that are not built into clients.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  name?: string;
}

export class ChangeViewParams {
  @Param(boolean(), { optional: true })
  is_pinned?: boolean;

  @Param(text(), { optional: true })
  @MaxCharacters(NAME_LENGTH_MAX)
  name?: string;
}
