import { Injectable } from '@nestjs/common';
import { EventStore, type RecordedEvent, streams } from '#event-store';
import { causedBy } from '#kernel';
import type { MessageDeleted, MessagesDeleted, MessagesExpired, MessagesMoved } from '#messages';
import { WaitingMessages } from '#reading';
import type { ReadSidePass } from '#read-store';
import type { NoticeEvent } from './notice.events.js';
import { REMEMBERED_MAX } from './notice.projections.js';
import { NoticeQueue, noticeIdOf } from './notice-queue.js';
import { PushedReader } from './pushed.reader.js';

/** Events of a notice: one when it is queued, and one for each attempt. */
const NOTICE_EVENTS_MAX = 20;

/** Takes messages off devices whose users cannot read them any more, since they were deleted or moved. */
@Injectable()
export class HiddenMessages {
  constructor(
    private readonly store: EventStore,
    private readonly waiting: WaitingMessages,
    private readonly pushed: PushedReader,
    private readonly queue: NoticeQueue,
  ) {}

  /** Does nothing for events that hide no message. Repeated calls for the same event change nothing. */
  async hide(event: RecordedEvent, pass: ReadSidePass): Promise<void> {
    const ids = hiddenIds(event);
    const byUser = new Map<number, number[]>();
    for (const id of ids)
      for (const userId of await this.#toldInVain(id)) byUser.set(userId, [...(byUser.get(userId) ?? []), id]);
    const name = `${event.stream.slice(streams.prefix.length)}-${event.revision}`;
    for (const [userId, messageIds] of byUser) {
      const shown = await this.pushed.of(userId);
      const left = messageIds.filter((id) => shown.includes(id));
      if (left.length === 0) continue;
      // Messages that the read models have lost wait for nobody either.
      await pass.assertValid(event.position);
      await this.queue.removal(userId, name, left, causedBy(event));
    }
  }

  /** Users whose devices were told of the message, and for whom it does not wait. */
  async #toldInVain(messageId: number): Promise<readonly number[]> {
    const told = await this.#told(messageId);
    if (told.length === 0) return [];
    const waiting = new Set((await this.waiting.waitingFor(messageId, told))?.userIds);
    return told.filter((userId) => !waiting.has(userId));
  }

  async #told(messageId: number): Promise<readonly number[]> {
    const told = new Set<number>();
    for (let part = 0; ; part++) {
      const stream = streams.notice(noticeIdOf(messageId, part));
      const events = (await this.store.readStream(stream, { limit: NOTICE_EVENTS_MAX })) as readonly RecordedEvent<
        NoticeEvent['data']
      >[];
      if (events.length === 0) return [...told];
      for (const { data } of events) if ('told' in data) for (const userId of data.told) told.add(userId);
    }
  }
}

type Hiding = MessageDeleted | MessagesDeleted | MessagesExpired | MessagesMoved;

/** The newest messages that may be hidden from somebody: devices show no older ones. */
function hiddenIds(event: RecordedEvent): readonly number[] {
  const { type, data } = event as unknown as Hiding;
  switch (type) {
    case 'message.deleted.v1':
      return [data.messageId];
    case 'messages.deleted.v1':
    case 'messages.expired.v1':
      return newestOf(data.ids);
    case 'messages.moved.v1':
      return data.from.channelId === data.to.channelId ? [] : newestOf(data.ids);
    default:
      return [];
  }
}

function newestOf(ranges: readonly (readonly [first: number, last: number])[]): number[] {
  const ids: number[] = [];
  for (const [first, last] of ranges.toReversed())
    for (let id = last; id >= first && ids.length < REMEMBERED_MAX; id--) ids.push(id);
  return ids;
}
