import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import type { User } from '#users/model';
import { ViewsReader } from './views.reader.js';
import type { WireView } from './wire-view.js';

/** The viewer's navigation views. */
export class ListViewsQuery extends Query<readonly WireView[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listViews = query(ListViewsQuery, { reader: ViewsReader }, ({ viewer }, { reader }) =>
  reader.of(viewer.userId),
);
