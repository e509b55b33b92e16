import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type ClientEvent,
  type Derivations,
  type FeedEntry,
  type Presentable,
  type Recipient,
} from '#feed';
import type { JsonObject } from '#kernel';
import { ROLE, type UserChanged } from '#users/model';
import { mayKnowDomains } from '../realm.access.js';
import { type WireDomain, wireDomains } from './wire-domains.js';
import type { DomainsEvent } from '../model/domains/domain.events.js';

/** What clients are told of the organization's domains (events.md §7). */
@Injectable()
export class DomainClientEvents extends ClientEvents {
  override readonly on: Derivations<DomainsEvent | UserChanged> = {
    'domain.added.v1': ({ data }) => entry({ op: 'add', realm_domain: wire(data) }),
    'domain.changed.v1': ({ data }) => entry({ op: 'change', realm_domain: wire(data) }),
    'domain.removed.v1': ({ data }) => entry({ op: 'remove', domain: data.domain }),
    'user.changed.v1': ({ data: { userId, role } }, directory) => {
      if (role === undefined || role.from >= ROLE.guest === role.to >= ROLE.guest) return [];
      const body = { byRole: true, domains: wireDomains(directory) };
      return body.domains.length === 0
        ? []
        : [{ type: 'realm_domains', audience: { to: 'users', ids: [userId] }, body }];
    },
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_domains']);

  override present({ entry: { body, type } }: Presentable<JsonObject>, { user }: Recipient): readonly ClientEvent[] {
    const isKnown = mayKnowDomains(user);
    if (body['byRole'] !== true) return isKnown ? [{ ...body, type }] : [];
    // The client may have been told of some already, when it was told of what came before the role as who may know them.
    return (body['domains'] as WireDomain[]).flatMap((realm_domain): ClientEvent[] => [
      { type, op: 'remove', domain: realm_domain.domain },
      ...(isKnown ? [{ type, op: 'add', realm_domain }] : []),
    ]);
  }
}

function wire({ domain, allowSubdomains }: { readonly domain: string; readonly allowSubdomains: boolean }): JsonObject {
  return { domain, allow_subdomains: allowSubdomains };
}

function entry(body: JsonObject): readonly FeedEntry<JsonObject>[] {
  return [{ type: 'realm_domains', audience: { to: 'everyone' }, body }];
}
