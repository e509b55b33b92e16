import { specFor } from '#testing';
import type { MissedMessagesNoted } from './missed.events.js';
import { missedMessagesDecider, type MissedPart } from './missed-messages.decider.js';

const given = specFor(missedMessagesDecider);
const [ANN, BEN] = [4, 5];
const dueAt = 120;
const part = (messageId: number, users: number[], index = 0): MissedPart => ({
  messageId,
  part: index,
  users: users.map((userId) => ({ userId, dueAt })),
});
const note = (...parts: MissedPart[]) => ({ type: 'note-missed', parts, at: 1 }) as const;
const noted = (missed: MissedMessagesNoted['data']['missed'], messageId: number, index = 0): MissedMessagesNoted => ({
  type: 'missed-messages.noted.v1',
  data: { missed, upTo: { messageId, part: index }, at: 1 },
});

test('messages are noted by user', () => {
  given()
    .when(note(part(7, [ANN, BEN]), part(8, [BEN])))
    .then(
      noted(
        [
          { userId: ANN, messageIds: [7], dueAt },
          { userId: BEN, messageIds: [7, 8], dueAt },
        ],
        8,
      ),
    );
});

test('a user whose next batch begins in between is due twice', () => {
  const later = { messageId: 8, part: 0, users: [{ userId: ANN, dueAt: 240 }] };
  given()
    .when(note(part(7, [ANN]), later))
    .then(
      noted(
        [
          { userId: ANN, messageIds: [7], dueAt },
          { userId: ANN, messageIds: [8], dueAt: 240 },
        ],
        8,
      ),
    );
});

test('what another process has noted is not noted again, and the rest is', () => {
  const before = noted([{ userId: ANN, messageIds: [7], dueAt }], 7);
  given(before)
    .when(note(part(6, [BEN]), part(7, [ANN])))
    .thenNothing();
  given(before)
    .when(note(part(7, [ANN]), part(8, [BEN])))
    .then(noted([{ userId: BEN, messageIds: [8], dueAt }], 8));
});

test('parts of one message are noted one after the other', () => {
  given(noted([{ userId: ANN, messageIds: [7], dueAt }], 7))
    .when(note(part(7, [ANN]), part(7, [BEN], 1)))
    .then(noted([{ userId: BEN, messageIds: [7], dueAt }], 7, 1));
});

test('nothing is noted of nobody', () => {
  given().when(note()).thenNothing();
});
