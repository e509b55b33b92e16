import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Directory } from '#organization';
import { wireLinkifiers, type WireLinkifier } from '../linkifiers/wire-linkifiers.js';

/** The organization's linkifiers in order (endpoints.md §12, GET /realm/linkifiers). Every user may list them. */
export class ListLinkifiersQuery extends Query<readonly WireLinkifier[]> {}

@QueryHandler(ListLinkifiersQuery)
export class ListLinkifiersHandler implements IQueryHandler<ListLinkifiersQuery> {
  constructor(private readonly directory: Directory) {}

  execute(): Promise<readonly WireLinkifier[]> {
    return Promise.resolve(wireLinkifiers(this.directory));
  }
}
