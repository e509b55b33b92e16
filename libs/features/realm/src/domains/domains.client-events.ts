import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { ROLE, type UserChanged } from '#users/model';
import { mayKnowDomains } from '../realm.access.js';
import { type WireDomain, wireDomains } from './wire-domains.js';
import type { DomainsEvent } from '../model/domains/domain.events.js';
import type { realmEventSchemas } from '../realm-events.schema.js';
import type { WireEvent, WithoutType } from '#wire';

type Told = WireEvent<
  Pick<typeof realmEventSchemas, 'realm_domains/add' | 'realm_domains/change' | 'realm_domains/remove'>
>;

/** Of a change, or of a role with which one may know them all, or none. */
type Body = WithoutType<Told> | { readonly byRole: true; readonly domains: readonly WireDomain[] };

/** What clients are told of the organization's domains (events.md §7). */
@Injectable()
export class DomainClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<DomainsEvent | UserChanged> = {
    'domain.added.v1': ({ data }) => entry({ op: 'add', realm_domain: wire(data) }),
    'domain.changed.v1': ({ data }) => entry({ op: 'change', realm_domain: wire(data) }),
    'domain.removed.v1': ({ data }) => entry({ op: 'remove', domain: data.domain }),
    'user.changed.v1': ({ data: { userId, role } }, directory) => {
      if (role === undefined || role.from >= ROLE.guest === role.to >= ROLE.guest) return [];
      const body = { byRole: true as const, domains: wireDomains(directory) };
      return body.domains.length === 0
        ? []
        : [{ type: 'realm_domains', audience: { to: 'users', ids: [userId] }, body }];
    },
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_domains']);

  override present({ entry: { body } }: Presentable<Body>, { user }: Recipient): readonly Told[] {
    const isKnown = mayKnowDomains(user);
    if (!('byRole' in body)) return isKnown ? [{ ...body, type: 'realm_domains' }] : [];
    // The client may have been told of some already, when it was told of what came before the role as who may know them.
    return body.domains.flatMap((realm_domain): Told[] => [
      { type: 'realm_domains', op: 'remove', domain: realm_domain.domain },
      ...(isKnown ? [{ type: 'realm_domains', op: 'add', realm_domain } as const] : []),
    ]);
  }
}

function wire({ domain, allowSubdomains }: { readonly domain: string; readonly allowSubdomains: boolean }): WireDomain {
  return { domain, allow_subdomains: allowSubdomains };
}

function entry(body: Body): readonly FeedEntry<Body>[] {
  return [{ type: 'realm_domains', audience: { to: 'everyone' }, body }];
}
