import { json, Param, text } from '#http';
import { ArrayMaxSize, IsArray, IsInt, MaxCharacters, MinCharacters } from '#validation';

/** More than there can be linkifiers: a list of another length is refused as incomplete. */
const IDS_MAX = 1_000;
/** Long enough for any example. */
const TRIED_LENGTH_MAX = 1_000;

export class LinkifierParams {
  @Param(text(), { description: 'A regular expression in the syntax of RE2: `#(?P<id>[0-9]+)`.' })
  @MinCharacters(1)
  pattern!: string;

  @Param(text(), { description: 'A URL template (RFC 6570) over the groups: `https://e.example/{id}`.' })
  @MinCharacters(1)
  url_template!: string;
}

export class TryLinkifierParams extends LinkifierParams {
  @Param(text(), { description: 'A text in which it may find something.' })
  @MaxCharacters(TRIED_LENGTH_MAX)
  content!: string;
}

export class ReorderLinkifiersParams {
  @Param(json(), { description: 'All IDs, in the new order.' })
  @IsArray()
  @ArrayMaxSize(IDS_MAX)
  @IsInt({ each: true })
  ordered_linkifier_ids!: number[];
}
