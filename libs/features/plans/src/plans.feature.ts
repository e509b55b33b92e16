import { defineFeature, PendingWork, readerProvider } from '#feature';
import { changeDrafts } from './drafts/change-drafts.js';
import { DraftClientEvents } from './drafts/drafts.client-events.js';
import { DraftsController } from './drafts/drafts.controller.js';
import { draftEventTypes } from './drafts/drafts.events.js';
import { DraftFields } from './drafts/drafts.fields.js';
import { draftsProjection, draftsCollection } from './drafts/drafts.projection.js';
import { DraftsReader } from './drafts/drafts.reader.js';
import { EraseDrafts } from './drafts/erase-drafts.js';
import { listDrafts } from './drafts/list-drafts.js';
import { PlannedContents } from './planned-contents.js';
import { addReminder, removeReminder } from './reminders/change-reminders.js';
import { ClaimReminder, DeliverReminder } from './reminders/deliver-reminder.js';
import { listReminders } from './reminders/list-reminders.js';
import { ReminderClientEvents } from './reminders/reminders.client-events.js';
import { RemindersController } from './reminders/reminders.controller.js';
import { reminderEventTypes } from './reminders/reminders.events.js';
import { ReminderFields } from './reminders/reminders.fields.js';
import { remindersProjection, reminderTimers, remindersCollection } from './reminders/reminders.projection.js';
import { RemindersReader } from './reminders/reminders.reader.js';
import { addScheduled } from './scheduled/add-scheduled.js';
import { ScheduledChanges, changeScheduled, removeScheduled } from './scheduled/change-scheduled.js';
import { ClaimScheduled, DeliverScheduled } from './scheduled/deliver-scheduled.js';
import { failedScheduledCollection, failedScheduledProjection } from './scheduled/failed-scheduled.projection.js';
import { listScheduled } from './scheduled/list-scheduled.js';
import { FailedScheduledReader, PendingScheduled } from './scheduled/pending-scheduled.js';
import { ScheduledClientEvents } from './scheduled/scheduled.client-events.js';
import { ScheduledController } from './scheduled/scheduled.controller.js';
import { scheduledEventTypes } from './scheduled/scheduled.events.js';
import { ScheduledFields } from './scheduled/scheduled.fields.js';
import { scheduledProjection, scheduledTimers, scheduledCollection } from './scheduled/scheduled.projection.js';
import { ScheduledReader } from './scheduled/scheduled.reader.js';
import { TellScheduledFailure } from './scheduled/tell-failure.js';
import { changeSnippets } from './snippets/change-snippets.js';
import { listSnippets } from './snippets/list-snippets.js';
import { SnippetClientEvents } from './snippets/snippets.client-events.js';
import { SnippetsController } from './snippets/snippets.controller.js';
import { snippetEventTypes } from './snippets/snippets.events.js';
import { SnippetFields } from './snippets/snippets.fields.js';
import { snippetsProjection, snippetsCollection } from './snippets/snippets.projection.js';
import { SnippetsReader } from './snippets/snippets.reader.js';
import { changeViews } from './views/change-views.js';
import { listViews } from './views/list-views.js';
import { ViewClientEvents } from './views/views.client-events.js';
import { ViewsController } from './views/views.controller.js';
import { viewEventTypes } from './views/views.events.js';
import { ViewFields } from './views/views.fields.js';
import { viewsProjection, viewsCollection } from './views/views.projection.js';
import { ViewsReader } from './views/views.reader.js';
import { draftEventSchemas, draftFieldSchemas } from './drafts/wire-draft.js';
import { snippetEventSchemas, snippetFieldSchemas } from './snippets/wire-snippet.js';
import { viewEventSchemas, viewFieldSchemas } from './views/wire-view.js';
import { scheduledEventSchemas, scheduledFieldSchemas } from './scheduled/wire-scheduled.js';
import { reminderEventSchemas, reminderFieldSchemas } from './reminders/wire-reminder.js';

/** Private data that users store on the server: drafts, saved snippets, navigation views, scheduled messages, reminders. */
export const plans = defineFeature({
  name: 'plans',
  events: [...draftEventTypes, ...snippetEventTypes, ...viewEventTypes, ...scheduledEventTypes, ...reminderEventTypes],
  projections: [
    draftsProjection,
    snippetsProjection,
    viewsProjection,
    scheduledProjection,
    failedScheduledProjection,
    remindersProjection,
  ],
  additions: [{ to: PendingWork, items: [PendingScheduled] }],
  clientEvents: [DraftClientEvents, SnippetClientEvents, ViewClientEvents, ScheduledClientEvents, ReminderClientEvents],
  eventSchemas: [draftEventSchemas, snippetEventSchemas, viewEventSchemas, scheduledEventSchemas, reminderEventSchemas],
  followUps: {
    'user-settings.changed.v1': EraseDrafts,
    'scheduled-message.due.v1': DeliverScheduled,
    'scheduled-message.failed.v1': TellScheduledFailure,
    'reminder.due.v1': DeliverReminder,
  },
  timers: [
    { source: scheduledTimers, handler: ClaimScheduled },
    { source: reminderTimers, handler: ClaimReminder },
  ],
  register: [DraftFields, SnippetFields, ViewFields, ScheduledFields, ReminderFields],
  registerSchemas: [
    draftFieldSchemas,
    snippetFieldSchemas,
    viewFieldSchemas,
    scheduledFieldSchemas,
    reminderFieldSchemas,
  ],
  commands: [
    addReminder,
    addScheduled,
    changeDrafts,
    changeScheduled,
    changeSnippets,
    changeViews,
    removeReminder,
    removeScheduled,
  ],
  queries: [listDrafts, listReminders, listScheduled, listSnippets, listViews],
  controllers: [DraftsController, RemindersController, ScheduledController, SnippetsController, ViewsController],
  providers: [
    PlannedContents,
    readerProvider(FailedScheduledReader, failedScheduledCollection),
    readerProvider(DraftsReader, draftsCollection),
    readerProvider(RemindersReader, remindersCollection),
    readerProvider(ScheduledReader, scheduledCollection),
    readerProvider(SnippetsReader, snippetsCollection),
    readerProvider(ViewsReader, viewsCollection),
    ScheduledChanges,
  ],
});
