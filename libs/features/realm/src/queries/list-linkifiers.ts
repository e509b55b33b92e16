import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { Directory } from '#people';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';
import { wireLinkifiers, type WireLinkifier } from '../linkifiers/wire-linkifiers.js';

/** The organization's linkifiers in order (endpoints.md §12, GET /realm/linkifiers). Every user may list them. */
export class ListLinkifiersQuery extends Query<readonly WireLinkifier[]> {}

export const listLinkifiers = query(ListLinkifiersQuery, { directory: Directory }, (_, { directory }) =>
  wireLinkifiers(directory.of(linkifiersPart).inOrder),
);
