/**
 * Keeps the IDs of users apart, so that somebody else's names nothing of one's own (endpoints.md §6: it is unknown). A user who makes
 * more plans of a kind than this goes on in the range of the next user.
 */
const IDS_PER_USER = 100_000;

/** ID after `lastId` for a user's plans of one kind. Earlier releases counted from 1, and those IDs stay. */
export function nextId(userId: number, lastId: number): number {
  return Math.max(lastId, userId * IDS_PER_USER) + 1;
}
