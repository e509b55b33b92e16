import { boolean, Param, text } from '#http';
import { EXTRA_EMOJI_TYPES, type ExtraEmojiTypeName } from '#pictures/model';
import { IsIn, MaxCharacters } from '#validation';

/** Longer than any emoji's name or code. */
const EMOJI_LENGTH_MAX = 200;
/** Of the text as it is written, before blanks around it are left out. */
const RAW_TEXT_LENGTH_MAX = 1000;

export class SetStatusParams {
  @Param(text(), { optional: true, description: 'Up to 60 characters; empty for none.' })
  @MaxCharacters(RAW_TEXT_LENGTH_MAX)
  status_text?: string;

  @Param(text(), { optional: true, description: 'Empty for none.' })
  @MaxCharacters(EMOJI_LENGTH_MAX)
  emoji_name?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(EMOJI_LENGTH_MAX)
  emoji_code?: string;

  @Param(text(), { optional: true })
  @IsIn(['', 'unicode_emoji', 'realm_emoji', ...EXTRA_EMOJI_TYPES])
  reaction_type?: '' | 'unicode_emoji' | 'realm_emoji' | ExtraEmojiTypeName;

  @Param(boolean(), { optional: true, description: 'Older name of not sharing presence.' })
  away?: boolean;
}
