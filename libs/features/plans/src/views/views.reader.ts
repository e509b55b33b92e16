import type { Collection } from '#read-store';
import type { ViewsDocument } from './views.projection.js';
import { wireView, type WireView } from './wire-view.js';

/** Users' navigation views as clients see them. */
export class ViewsReader {
  constructor(private readonly views: Collection<ViewsDocument>) {}

  /** All views of the user, in the order in which they were added. */
  async of(userId: number): Promise<readonly WireView[]> {
    const doc = await this.views.get(userId);
    return (doc?.views ?? []).map(wireView);
  }
}
