import { Type } from 'typebox';
import { json, Param, text } from '#http';

/** More than there can be linkifiers: a list of another length is refused for not being all of them. */
const IDS_MAX = 1_000;

export class LinkifierParams {
  @Param(text({ min: 1 }), { description: 'A regular expression in the syntax of RE2: `#(?P<id>[0-9]+)`.' })
  pattern!: string;

  @Param(text({ min: 1 }), { description: 'A URL template (RFC 6570) over the groups: `https://e.example/{id}`.' })
  url_template!: string;
}

export class ReorderLinkifiersParams {
  @Param(json(Type.Array(Type.Integer(), { maxItems: IDS_MAX })), { description: 'All IDs, in the new order.' })
  ordered_linkifier_ids!: number[];
}
