/** Addresses in the page: `#narrow/channel/9-announce/topic/Zulip.20updates/near/214`, as the server's links and mails have them. */
import { hashOf, narrowKey, type NarrowTerm, termsOf } from '#client';

export { narrowKey };

export type Term = NarrowTerm;

export type View =
  'inbox' | 'browse' | 'recent' | 'drafts' | 'channels' | 'people' | 'settings' | 'organization' | 'since';

export type Route =
  | { readonly view: View; readonly rest: readonly string[] }
  | {
      readonly view: 'narrow';
      readonly terms: readonly Term[];
      /** Message that the address names. */
      readonly near: number | undefined;
      /** Time as of which it is shown, in seconds since the epoch; undefined for now. */
      readonly asOf: number | undefined;
    };

const VIEWS: ReadonlySet<string> = new Set<View>([
  ...(['inbox', 'browse', 'recent', 'drafts', 'channels', 'people', 'settings', 'organization', 'since'] as const),
]);
/** Terms that say where to look, and not what is there. */
const PLACES: ReadonlySet<string> = new Set(['near', 'with']);
/** The term of addresses of the past: `#narrow/channel/9-announce/topic/news/as-of/1795714021`. */
const AS_OF = 'as-of';

/** @param hash with or without the number sign */
export function routeOf(hash: string): Route {
  const [view = '', ...rest] = hash.replace(/^#?\/?/, '').split('/');
  if (view === 'narrow') return narrowOf(hash);
  return VIEWS.has(view) ? { view: view as View, rest } : { view: 'inbox', rest: [] };
}

function narrowOf(hash: string): Route {
  const terms = termsOf(hash) ?? [];
  const near = terms.find(({ operator }) => PLACES.has(operator))?.operand;
  const asOf = terms.find(({ operator }) => operator === AS_OF)?.operand;
  return {
    view: 'narrow',
    terms: terms.filter(({ operator }) => !PLACES.has(operator) && operator !== AS_OF),
    near: typeof near === 'number' ? near : undefined,
    asOf: typeof asOf === 'string' && /^\d{1,12}$/.test(asOf) ? Number(asOf) : undefined,
  };
}

/** The address of a conversation as it was. @param hash of the conversation @param time seconds since the epoch */
export const asOfHash = (hash: string, time: number): string => `${hash}/${AS_OF}/${time}`;

export function channelHash(id: number, name: string, topic?: string, near?: number): string {
  return hashOf(
    [
      { operator: 'channel', operand: id },
      ...(topic === undefined ? [] : [{ operator: 'topic', operand: topic }]),
      ...(near === undefined ? [] : [{ operator: 'near', operand: near }]),
    ],
    { channel: () => name },
  );
}

/** @param ids all participants, with or without the reader */
export function directHash(ids: readonly number[], near?: number): string {
  return hashOf([
    { operator: 'dm', operand: ids },
    ...(near === undefined ? [] : [{ operator: 'near', operand: near }]),
  ]);
}

/** The address of any search. */
export function narrowHash(
  terms: readonly Term[],
  { allChannels }: { readonly allChannels: readonly { readonly stream_id: number; readonly name: string }[] },
): string {
  return hashOf(terms, { channel: (id) => allChannels.find(({ stream_id }) => stream_id === id)?.name });
}

export const operandIn = (terms: readonly Term[], operator: string): Term['operand'] | undefined =>
  terms.find((term) => term.operator === operator && term.negated !== true)?.operand;
