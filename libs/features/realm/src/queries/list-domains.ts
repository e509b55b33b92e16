import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { mayKnowDomains } from '../realm.access.js';
import { wireDomains, type WireDomain } from '../domains/wire-domains.js';

/** The organization's domains (endpoints.md §12, GET /realm/domains). They are no business of guests. @throws Refusal BAD_REQUEST */
export class ListDomainsQuery extends Query<readonly WireDomain[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listDomains = query(ListDomainsQuery, { directory: Directory }, ({ viewer }, { directory }) => {
  if (!mayKnowDomains(viewer)) throw badRequest('Not allowed for guest users');
  return wireDomains(directory);
});
