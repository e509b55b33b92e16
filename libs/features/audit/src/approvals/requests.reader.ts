import { type Collection, where } from '#read-store';
import { REQUESTS_MAX } from './approvals.decider.js';
import type { RequestDocument } from './requests.projection.js';

export interface KnownRequest extends RequestDocument {
  readonly requestId: number;
}

/** Reads requests of auditors. */
export class RequestsReader {
  constructor(private readonly requests: Collection<RequestDocument>) {}

  /** Those that wait to be decided, or that were approved, and are not over. @param now seconds since the epoch */
  async open(now: number): Promise<readonly KnownRequest[]> {
    const found = await this.requests.find({ where: where.range('until', { gte: now }), limit: REQUESTS_MAX });
    return found
      .map(({ key, doc }) => ({ ...doc, requestId: key as number }))
      .sort((a, b) => a.requestId - b.requestId);
  }
}
