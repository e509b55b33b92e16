/** Two users share no ID, so that of somebody else names nothing of one's own (endpoints.md §6: it is unknown). */
const IDS_PER_USER = 100_000;

/** ID after `lastId` for a user's plans of one kind. Earlier releases counted from 1, and those IDs stay. */
export function nextId(userId: number, lastId: number): number {
  return Math.max(lastId, userId * IDS_PER_USER) + 1;
}
