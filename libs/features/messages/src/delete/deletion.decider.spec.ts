import { specFor } from '#testing';
import { ANN, at, base, place, sentAt } from '../model/message.decider.fixture.js';
import { MESSAGE_SETTINGS } from '../model/message-settings.fixture.js';
import type { MessageDeleted, MessagesDeleted } from '../model/messages.events.js';
import type { DeleteMessage, DeleteTopic } from './deletion.commands.js';
import { deletionDecider, topicDeletionDecider } from './deletion.decider.js';

const DAY = 86_400;
const given = specFor(deletionDecider);
const givenTopic = specFor(topicDeletionDecider);
const deleted: MessageDeleted = { type: 'message.deleted.v1', data: { messageId: 5, by: ANN, place, at } };

const remove = (part: Partial<DeleteMessage> = {}): DeleteMessage => ({
  ...base,
  mayDeleteAny: false,
  mayDeleteOwn: true,
  isOwn: true,
  arrival: undefined,
  mentioned: [],
  firstLeft: undefined,
  settings: MESSAGE_SETTINGS,
  ...part,
});

test('of one’s own, within the limit', () => {
  given().when(remove()).then(deleted);
  const at = sentAt + 600;
  given()
    .when(remove({ at }))
    .then({ ...deleted, data: { ...deleted.data, at } });
  // Only edits have a grace period.
  given()
    .when(remove({ at: sentAt + 601 }))
    .thenRefused('BAD_REQUEST');
  given()
    .when(remove({ mayDeleteOwn: false }))
    .thenRefused('BAD_REQUEST');
});

test('of others’, with permission and without limit', () => {
  given()
    .when(remove({ isOwn: false }))
    .thenRefused('BAD_REQUEST');
  const late = sentAt + DAY;
  given()
    .when(remove({ isOwn: false, mayDeleteAny: true, at: late }))
    .then({ ...deleted, data: { ...deleted.data, at: late } });
});

test('says which message is the oldest of the channel from now on', () => {
  given()
    .when(remove({ firstLeft: 9 }))
    .then({ ...deleted, data: { ...deleted.data, firstLeft: 9 } });
  given()
    .when(remove({ firstLeft: null }))
    .then({ ...deleted, data: { ...deleted.data, firstLeft: null } });
});

test('says whom it mentioned that are not subscribed', () => {
  const mentioned = [{ id: 5, userIds: [7] }];
  given()
    .when(remove({ mentioned }))
    .then({ ...deleted, data: { ...deleted.data, mentioned } });
  givenTopic()
    .when(removeTopic({ mentioned }))
    .then({ ...topicDeleted, data: { ...topicDeleted.data, mentioned } });
});

const removeTopic = (part: Partial<DeleteTopic> = {}): DeleteTopic => {
  const { sent: _, ...envelope } = base;
  const messages = [5, 6, 8].map((id) => ({ id, arrival: undefined }));
  return { ...envelope, mayDeleteAny: true, messages, mentioned: [], firstLeft: undefined, ...part };
};
const topicDeleted: MessagesDeleted = {
  type: 'messages.deleted.v1',
  data: {
    ids: [
      [5, 6],
      [8, 8],
    ],
    by: ANN,
    place,
    at,
  },
};

test('of a topic is one event, in runs, and needs permission to delete anything', () => {
  givenTopic().when(removeTopic()).then(topicDeleted);
  givenTopic()
    .when(removeTopic({ mayDeleteAny: false }))
    .thenRefused('BAD_REQUEST');
  givenTopic(topicDeleted).when(removeTopic()).thenRefused('BAD_REQUEST');
});

test('is of nothing in an archived channel, for whoever', () => {
  given()
    .when(remove({ isArchived: true, mayDeleteAny: true }))
    .thenRefused('BAD_REQUEST');
  givenTopic()
    .when(removeTopic({ isArchived: true }))
    .thenRefused('BAD_REQUEST');
});

test('of a topic says which messages came from another channel, and when', () => {
  const messages = [
    { id: 5, arrival: undefined },
    { id: 6, arrival: 70 },
    { id: 7, arrival: 70 },
    { id: 9, arrival: 80 },
  ];
  givenTopic()
    .when(removeTopic({ messages, firstLeft: null }))
    .then({
      ...topicDeleted,
      data: {
        ...topicDeleted.data,
        ids: [
          [5, 7],
          [9, 9],
        ],
        arrivals: [
          { ids: [[6, 7]], arrival: 70 },
          { ids: [[9, 9]], arrival: 80 },
        ],
        firstLeft: null,
      },
    });
});

test('what is gone takes no command', () => {
  given(deleted).when(remove()).thenRefused('BAD_REQUEST');
  given(topicDeleted).when(remove()).thenRefused('BAD_REQUEST');
});
