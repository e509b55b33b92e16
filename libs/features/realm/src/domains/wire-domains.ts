import type { Directory } from '#people';
import { named, object, text, truth, type Wire } from '#wire';
import { domainsPart } from '../model/domains/domains.part.js';

/** A domain on the wire (register.md §2, `realm_domains`). */
export const DomainSchema = named('Domain', object({ domain: text, allow_subdomains: truth }));
export type WireDomain = Wire<typeof DomainSchema>;

/** The organization's domains, in the order in which they were added. */
export function wireDomains(directory: Pick<Directory, 'of'>): readonly WireDomain[] {
  return directory
    .of(domainsPart)
    .inOrder.map(({ domain, allowSubdomains }) => ({ domain, allow_subdomains: allowSubdomains }));
}
