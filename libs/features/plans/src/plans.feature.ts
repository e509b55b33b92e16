import { defineFeature } from '#feature';
import { DraftClientEvents } from './drafts/drafts.client-events.js';
import { draftEventTypes } from './drafts/drafts.events.js';
import { DraftFields } from './drafts/drafts.fields.js';
import { draftsProjection } from './drafts/drafts.projection.js';
import { PlansModule } from './plans.module.js';
import { ReminderClientEvents } from './reminders/reminders.client-events.js';
import { reminderEventTypes } from './reminders/reminders.events.js';
import { ReminderFields } from './reminders/reminders.fields.js';
import { remindersProjection, reminderTimers } from './reminders/reminders.projection.js';
import { ScheduledClientEvents } from './scheduled/scheduled.client-events.js';
import { scheduledEventTypes } from './scheduled/scheduled.events.js';
import { ScheduledFields } from './scheduled/scheduled.fields.js';
import { scheduledProjection, scheduledTimers } from './scheduled/scheduled.projection.js';
import { SnippetClientEvents } from './snippets/snippets.client-events.js';
import { snippetEventTypes } from './snippets/snippets.events.js';
import { SnippetFields } from './snippets/snippets.fields.js';
import { snippetsProjection } from './snippets/snippets.projection.js';
import { ViewClientEvents } from './views/views.client-events.js';
import { viewEventTypes } from './views/views.events.js';
import { ViewFields } from './views/views.fields.js';
import { viewsProjection } from './views/views.projection.js';
import { EraseDrafts } from './drafts/erase-drafts.js';
import { ClaimReminder, DeliverReminder } from './reminders/deliver-reminder.js';
import { ClaimScheduled, DeliverScheduled } from './scheduled/deliver-scheduled.js';
import { TellScheduledFailure } from './scheduled/tell-failure.js';

/** Private data that users store on the server: drafts, saved snippets, navigation views, scheduled messages, reminders. */
export const plans = defineFeature({
  name: 'plans',
  events: [...draftEventTypes, ...snippetEventTypes, ...viewEventTypes, ...scheduledEventTypes, ...reminderEventTypes],
  projections: [draftsProjection, snippetsProjection, viewsProjection, scheduledProjection, remindersProjection],
  clientEvents: [DraftClientEvents, SnippetClientEvents, ViewClientEvents, ScheduledClientEvents, ReminderClientEvents],
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
  module: PlansModule,
});
