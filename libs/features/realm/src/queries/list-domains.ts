import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { badRequest } from '#kernel';
import { Directory, type User } from '#organization';
import { mayKnowDomains } from '../realm.access.js';
import { wireDomains, type WireDomain } from '../domains/wire-domains.js';

/** The organization's domains (endpoints.md §12, GET /realm/domains). They are no business of guests. @throws Refusal BAD_REQUEST */
export class ListDomainsQuery extends Query<readonly WireDomain[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListDomainsQuery)
export class ListDomainsHandler implements IQueryHandler<ListDomainsQuery> {
  constructor(private readonly directory: Directory) {}

  execute({ viewer }: ListDomainsQuery): Promise<readonly WireDomain[]> {
    if (!mayKnowDomains(viewer)) return Promise.reject(badRequest('Not allowed for guest users'));
    return Promise.resolve(wireDomains(this.directory));
  }
}
