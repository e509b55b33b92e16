import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { isOwn } from './message-flags.js';
import { collect, NearMessages } from './message-window.js';
import { MessagesReader } from './messages.reader.js';
import { OwnMessages } from './own-messages.js';
import { SeenMessages } from './seen-messages.js';

/** `max_message_id`: the newest message of the viewer's own history; -1 when there is none (register.md §2). */
export class MaxMessageIdQuery extends Query<number> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(MaxMessageIdQuery)
export class MaxMessageIdHandler implements IQueryHandler<MaxMessageIdQuery> {
  constructor(
    private readonly messages: MessagesReader,
    private readonly own: OwnMessages,
    private readonly seen: SeenMessages,
  ) {}

  async execute({ viewer }: MaxMessageIdQuery): Promise<number> {
    const source = new NearMessages(this.messages, () => this.own.readable(viewer));
    const [newest] = await collect(source, Number.MAX_SAFE_INTEGER, 'descending', 1, async (rows) =>
      (await this.seen.of(viewer, rows)).filter(isOwn),
    );
    return newest?.id ?? -1;
  }
}
