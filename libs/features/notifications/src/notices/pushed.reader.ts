import type { Collection } from '#read-store';
import type { NoticeDocument, PushedDocument } from './notice.projections.js';

/** Messages that users' devices show. */
export class PushedReader {
  constructor(private readonly pushed: Collection<PushedDocument>) {}

  async of(userId: number): Promise<readonly number[]> {
    return (await this.pushed.get(userId))?.ids ?? [];
  }
}

/** Notices that wait for the push service. */
export class NoticesReader {
  constructor(private readonly notices: Collection<NoticeDocument>) {}

  get(noticeId: string): Promise<NoticeDocument | undefined> {
    return this.notices.get(noticeId);
  }
}
