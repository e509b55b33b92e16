import { Module, type FactoryProvider, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ReadStore, type Collection, type CollectionSchema } from '#read-store';
import { ChangeDraftsHandler } from './drafts/change-drafts.js';
import { DraftClientEvents } from './drafts/drafts.client-events.js';
import { DraftsController } from './drafts/drafts.controller.js';
import { DraftFields } from './drafts/drafts.fields.js';
import { draftsCollection } from './drafts/drafts.projection.js';
import { DraftsReader } from './drafts/drafts.reader.js';
import { EraseDrafts } from './drafts/erase-drafts.js';
import { ListDraftsHandler } from './drafts/list-drafts.js';
import { ChangeSnippetsHandler } from './snippets/change-snippets.js';
import { ListSnippetsHandler } from './snippets/list-snippets.js';
import { SnippetClientEvents } from './snippets/snippets.client-events.js';
import { SnippetsController } from './snippets/snippets.controller.js';
import { SnippetFields } from './snippets/snippets.fields.js';
import { snippetsCollection } from './snippets/snippets.projection.js';
import { SnippetsReader } from './snippets/snippets.reader.js';
import { ChangeViewsHandler } from './views/change-views.js';
import { ListViewsHandler } from './views/list-views.js';
import { ViewClientEvents } from './views/views.client-events.js';
import { ViewsController } from './views/views.controller.js';
import { ViewFields } from './views/views.fields.js';
import { viewsCollection } from './views/views.projection.js';
import { ViewsReader } from './views/views.reader.js';

/** Provider of a reader of one collection. */
function reader<Doc extends object, Reader>(
  type: Type<Reader> & (new (collection: Collection<Doc>) => Reader),
  schema: CollectionSchema,
): FactoryProvider<Reader> {
  return {
    provide: type,
    inject: [ReadStore],
    useFactory: async (store: ReadStore) => new type(await store.collection<Doc>(schema)),
  };
}

/** Drafts, saved snippets and navigation views. */
@Module({
  imports: [CqrsModule],
  controllers: [DraftsController, SnippetsController, ViewsController],
  providers: [
    reader(DraftsReader, draftsCollection),
    reader(SnippetsReader, snippetsCollection),
    reader(ViewsReader, viewsCollection),
    ChangeDraftsHandler,
    ChangeSnippetsHandler,
    ChangeViewsHandler,
    DraftClientEvents,
    DraftFields,
    EraseDrafts,
    ListDraftsHandler,
    ListSnippetsHandler,
    ListViewsHandler,
    SnippetClientEvents,
    SnippetFields,
    ViewClientEvents,
    ViewFields,
  ],
  exports: [DraftClientEvents, DraftFields, SnippetClientEvents, SnippetFields, ViewClientEvents, ViewFields],
})
export class PlansModule {}
