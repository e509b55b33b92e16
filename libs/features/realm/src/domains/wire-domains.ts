import type { JsonObject } from '#kernel';
import type { Directory } from '#organization';
import { domainsPart } from '../model/domains/domains.part.js';

/** A domain on the wire (register.md §2, `realm_domains`). */
export type WireDomain = JsonObject & { readonly domain: string; readonly allow_subdomains: boolean };

/** The organization's domains, in the order in which they were added. */
export function wireDomains(directory: Pick<Directory, 'of'>): readonly WireDomain[] {
  return directory
    .of(domainsPart)
    .inOrder.map(({ domain, allowSubdomains }) => ({ domain, allow_subdomains: allowSubdomains }));
}
