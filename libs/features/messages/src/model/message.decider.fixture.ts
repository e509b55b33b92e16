/** A message of Ann's, and the fields of every command to it. */
export const sentAt = 1_790_000_000;
export const at = sentAt + 60;
export const ANN = 7;
export const BOB = 8;
export const place = { channelId: 3, topic: 'lunch' };
export const sent = { senderId: ANN, ...place, content: 'hello', client: 'test', at: sentAt };
export const base = { messageId: 5, by: ANN, at, sent, place, isArchived: false };
