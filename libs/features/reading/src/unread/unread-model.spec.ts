import type { User } from '#users/model';
import { NarrowHistory } from '../narrow/narrow-history.fixture.js';
import { isMentioned, isOwn, isRead, isWildcard } from '../flags/message-flags.js';
import { wireUnread, type WireUnreadMessages } from './unread-conversations.js';
import { isTopicMuted } from '#preferences/model';
import { maxMessageId, MaxMessageIdQuery } from '../fetch/max-message-id.js';
import { executing, SEED, sized } from '#testing';
import { parseConversation } from '#messages';

const STORIES = sized({ nightly: 60, usual: 3 });
const STEPS = 120;
/** Acts between two comparisons. */
const STRIDE = 10;

describe.each(Array.from({ length: STORIES }, (_, index) => SEED + index))(
  'what is unread, after random acts %i',
  (seed) => {
    let history: NarrowHistory;
    afterEach(() => history.world.destroy());

    test('is what a walk over all messages finds, for readers that followed and for one that begins', async () => {
      history = await NarrowHistory.tell(seed, STEPS);
      const { world, users } = history;
      const newest = executing(maxMessageId, world);
      for (let round = 0; round < 4; round++) {
        for (const user of users) {
          const viewer = world.again(user);
          const walked = await walk(viewer);
          for (const reader of [world.unread, world.freshUnread()]) {
            const look = await reader.look(viewer);
            expect(look.unread.ids()).toEqual(walked.unread);
            expect(wireUnread(look, { userId: user.userId, allowEmptyTopicName: true })).toEqual(walked.wire);
            expect((await reader.delivered(user.userId)).unread.ids()).toEqual(walked.delivered);
          }
          expect(await newest.execute(new MaxMessageIdQuery(viewer))).toBe(walked.newest);
        }
        for (let step = 0; step < STRIDE; step++) await history.step();
      }
    });

    interface Walked {
      readonly unread: number[];
      readonly delivered: number[];
      readonly newest: number;
      readonly wire: WireUnreadMessages;
    }

    /** Judges each message by its document and the user's flags. */
    async function walk(viewer: User): Promise<Walked> {
      const { userId } = viewer;
      const { directory, messages, seen } = history.world;
      const rows = await messages.find(undefined, 'ascending', 1000);
      const all = await seen.unchecked(userId, rows);
      const isReadable = ({ id, doc }: (typeof all)[number]): boolean => seen.isReadable(viewer, id, doc);
      const delivered = all.filter((one) => isOwn(one) && !isRead(one.doc, one));
      const unread = delivered.filter(isReadable);
      const wire = { count: 0, mentions: [] as number[] };
      const lists = new Map<string, number[]>();
      for (const { id, doc } of unread) {
        const place = parseConversation(doc.conversation);
        const topic = doc.topic ?? '';
        if ('channelId' in place && !directory.isSubscribed(userId, place.channelId)) continue;
        const isMuted = 'channelId' in place && isTopicMuted(directory, userId, place.channelId, topic);
        if (!isMuted) wire.count++;
        if (isMentioned(doc, userId) || (isWildcard(doc, userId) && !isMuted)) wire.mentions.push(id);
        const key = JSON.stringify('channelId' in place ? [place.channelId, topic] : place.participants);
        lists.set(key, [...(lists.get(key) ?? []), id]);
      }
      const places = Array.from(lists, ([key, ids]) => ({ key: JSON.parse(key) as (number | string)[], ids }));
      const isChannel = (key: (number | string)[]): boolean => typeof key[1] === 'string';
      const pm = (key: (number | string)[]): number => Number(key.find((id) => id !== userId) ?? userId);
      return {
        unread: unread.map(({ id }) => id),
        delivered: delivered.map(({ id }) => id),
        newest: all.filter((one) => isOwn(one) && isReadable(one)).at(-1)?.id ?? -1,
        wire: {
          ...wire,
          pms: places
            .filter(({ key }) => !isChannel(key) && key.length < 3)
            .map(({ key, ids }) => ({ other_user_id: pm(key), sender_id: pm(key), unread_message_ids: ids }))
            .sort((a, b) => a.other_user_id - b.other_user_id),
          streams: places
            .filter(({ key }) => isChannel(key))
            .map(({ key, ids }) => ({ stream_id: Number(key[0]), topic: String(key[1]), unread_message_ids: ids }))
            .sort((a, b) => a.stream_id - b.stream_id || (a.topic < b.topic ? -1 : 1)),
          huddles: places
            .filter(({ key }) => !isChannel(key) && key.length > 2)
            .map(({ key, ids }) => ({ user_ids_string: key.join(','), unread_message_ids: ids }))
            .sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
          old_unreads_missing: false,
        },
      };
    }
  },
);
