import { memoized } from '#kernel';
import type { Directory } from '#people';
import { integer, named, object, text, tuple, type Wire } from '#wire';
import type { Linkifiers } from '../model/linkifiers/linkifiers.js';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';

/** A linkifier in wire format (register.md §2, `realm_linkifiers`). */
export const LinkifierSchema = named('Linkifier', object({ id: integer, pattern: text, url_template: text }));
export type WireLinkifier = Wire<typeof LinkifierSchema>;

/** Linkifiers in order. One list for all recipients, so that it is serialized once. */
export const wireLinkifiers = memoized((inOrder: Linkifiers['inOrder']): readonly WireLinkifier[] =>
  inOrder.map(({ linkifierId, pattern, urlTemplate }) => ({ id: linkifierId, pattern, url_template: urlTemplate })),
);

/** A linkifier of clients before feature level 30: its pattern, its format for a URL with `%(name)s`, and its ID. */
export const FilterSchema = tuple(text, text, integer);
export type WireFilter = readonly [pattern: string, urlFormat: string, id: number];

/** The linkifiers that the older form can express: those whose templates use the values of their variables as they are. */
export function wireFilters(directory: Pick<Directory, 'of'>): readonly WireFilter[] {
  return directory.of(linkifiersPart).inOrder.flatMap(({ linkifierId, pattern, urlTemplate }): WireFilter[] => {
    const urlFormat = urlTemplate.replaceAll('%', '%%').replaceAll(/\{(\w+)\}/g, '%($1)s');
    return /[{}]/.test(urlFormat) ? [] : [[pattern, urlFormat, linkifierId]];
  });
}
