import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { User } from '#organization';
import { ViewsReader } from './views.reader.js';
import type { WireView } from './wire-view.js';

/** The viewer's navigation views. */
export class ListViewsQuery extends Query<readonly WireView[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListViewsQuery)
export class ListViewsHandler implements IQueryHandler<ListViewsQuery> {
  constructor(private readonly reader: ViewsReader) {}

  execute({ viewer }: ListViewsQuery): Promise<readonly WireView[]> {
    return this.reader.of(viewer.userId);
  }
}
