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
import type { DomainsEvent } from '#organization';
import { mayKnowDomains } from './realm.access.js';

/** What clients are told of the organization's domains (events.md §7). */
@Injectable()
export class DomainClientEvents extends ClientEvents {
  override readonly on: Derivations<DomainsEvent> = {
    'domain.added.v1': ({ data }) => entry({ op: 'add', realm_domain: wire(data) }),
    'domain.changed.v1': ({ data }) => entry({ op: 'change', realm_domain: wire(data) }),
    'domain.removed.v1': ({ data }) => entry({ op: 'remove', domain: data.domain }),
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_domains']);

  override present({ entry: { body, type } }: Presentable<JsonObject>, { user }: Recipient): readonly ClientEvent[] {
    return mayKnowDomains(user) ? [{ ...body, type }] : [];
  }
}

function wire({ domain, allowSubdomains }: { readonly domain: string; readonly allowSubdomains: boolean }): JsonObject {
  return { domain, allow_subdomains: allowSubdomains };
}

function entry(body: JsonObject): readonly FeedEntry<JsonObject>[] {
  return [{ type: 'realm_domains', audience: { to: 'everyone' }, body }];
}
