/** Which subscribers of its channels a client wants: none, all, or of large channels those who are active. */
export type SubscriberLists = 'none' | 'whole' | 'partial';

/** Channels with fewer subscribers always have whole lists (register.md §4). */
export const WHOLE_LIST_BELOW = 250;

/** `subscribers`, or `partial_subscribers` of a large channel when `isListed` is given. */
export function subscriberFields(
  userIds: readonly number[],
  isListed: ((userId: number) => boolean) | undefined,
): { readonly subscribers: readonly number[] } | { readonly partial_subscribers: readonly number[] } {
  if (isListed === undefined || userIds.length < WHOLE_LIST_BELOW) return { subscribers: userIds };
  return { partial_subscribers: userIds.filter(isListed) };
}
