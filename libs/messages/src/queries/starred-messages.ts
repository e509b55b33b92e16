import { Injectable } from '@nestjs/common';
import type { User } from '#organization';
import { FlagsReader } from './flags.reader.js';
import { MessagesReader } from './messages.reader.js';
import { SeenMessages } from './seen-messages.js';

/** `starred_messages` of the register response. */
@Injectable()
export class StarredMessages {
  constructor(
    private readonly flags: FlagsReader,
    private readonly messages: MessagesReader,
    private readonly seen: SeenMessages,
  ) {}

  /** IDs of the messages that the user starred and may read, ascending. */
  async of(viewer: User): Promise<readonly number[]> {
    const starred = await this.flags.all(viewer.userId, 'starred');
    const docs = await this.messages.getMany(starred);
    return starred.filter((id) => {
      const doc = docs.get(id);
      return doc !== undefined && this.seen.isReadable(viewer, id, doc);
    });
  }
}
