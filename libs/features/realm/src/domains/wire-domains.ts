import type { JsonObject } from '#kernel';
import type { Directory } from '#organization';

/** A domain on the wire (register.md §2, `realm_domains`). */
export type WireDomain = JsonObject & { readonly domain: string; readonly allow_subdomains: boolean };

/** The organization's domains, in the order in which they were added. */
export function wireDomains({ domains }: Pick<Directory, 'domains'>): readonly WireDomain[] {
  return domains.inOrder.map(({ domain, allowSubdomains }) => ({ domain, allow_subdomains: allowSubdomains }));
}
