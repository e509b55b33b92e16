/** A pattern of the organization that turns `#123` and the like into links. */
export interface Linkifier {
  readonly pattern: string;
  readonly urlTemplate: string;
}
export interface LinkifierMatch {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly url: string;
}
export function linkifyMatches(_text: string, _linkifiers: readonly Linkifier[]): LinkifierMatch[] {
  return [];
}
