import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readerProvider } from '#feature';
import { MessagesModule } from '#messages';
import { ChangeDraftsHandler } from './drafts/change-drafts.js';
import { DraftClientEvents } from './drafts/drafts.client-events.js';
import { DraftsController } from './drafts/drafts.controller.js';
import { DraftFields } from './drafts/drafts.fields.js';
import { draftsCollection } from './drafts/drafts.projection.js';
import { DraftsReader } from './drafts/drafts.reader.js';
import { EraseDrafts } from './drafts/erase-drafts.js';
import { ListDraftsHandler } from './drafts/list-drafts.js';
import { PlannedContents } from './planned-contents.js';
import { AddReminderHandler, RemoveReminderHandler } from './reminders/change-reminders.js';
import { ClaimReminder, DeliverReminder } from './reminders/deliver-reminder.js';
import { ListRemindersHandler } from './reminders/list-reminders.js';
import { ReminderClientEvents } from './reminders/reminders.client-events.js';
import { RemindersController } from './reminders/reminders.controller.js';
import { ReminderFields } from './reminders/reminders.fields.js';
import { remindersCollection } from './reminders/reminders.projection.js';
import { RemindersReader } from './reminders/reminders.reader.js';
import { AddScheduledHandler } from './scheduled/add-scheduled.js';
import { ChangeScheduledHandler, RemoveScheduledHandler } from './scheduled/change-scheduled.js';
import { ClaimScheduled, DeliverScheduled, ScheduledCommands } from './scheduled/deliver-scheduled.js';
import { ListScheduledHandler } from './scheduled/list-scheduled.js';
import { ScheduledClientEvents } from './scheduled/scheduled.client-events.js';
import { ScheduledController } from './scheduled/scheduled.controller.js';
import { ScheduledFields } from './scheduled/scheduled.fields.js';
import { scheduledCollection } from './scheduled/scheduled.projection.js';
import { ScheduledReader } from './scheduled/scheduled.reader.js';
import { TellScheduledFailure } from './scheduled/tell-failure.js';
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

/** Providers that the feed, the register response and other features use. */
const open = [
  PlannedContents,
  DraftClientEvents,
  DraftFields,
  ReminderClientEvents,
  ReminderFields,
  ScheduledClientEvents,
  ScheduledFields,
  SnippetClientEvents,
  SnippetFields,
  ViewClientEvents,
  ViewFields,
];

/** Drafts, saved snippets, navigation views, scheduled messages and reminders. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [DraftsController, RemindersController, ScheduledController, SnippetsController, ViewsController],
  providers: [
    ...open,
    readerProvider(DraftsReader, draftsCollection),
    readerProvider(RemindersReader, remindersCollection),
    readerProvider(ScheduledReader, scheduledCollection),
    readerProvider(SnippetsReader, snippetsCollection),
    readerProvider(ViewsReader, viewsCollection),
    AddReminderHandler,
    AddScheduledHandler,
    ChangeDraftsHandler,
    ChangeScheduledHandler,
    ChangeSnippetsHandler,
    ChangeViewsHandler,
    ClaimReminder,
    ClaimScheduled,
    DeliverReminder,
    DeliverScheduled,
    EraseDrafts,
    ListDraftsHandler,
    ListRemindersHandler,
    ListScheduledHandler,
    ListSnippetsHandler,
    ListViewsHandler,
    RemoveReminderHandler,
    RemoveScheduledHandler,
    ScheduledCommands,
    TellScheduledFailure,
  ],
  exports: [...open],
})
export class PlansModule {}
