import { defineFeature } from '#feature';
import { DeviceClientEvents } from './devices/device.client-events.js';
import { deviceEventTypes } from './devices/device.events.js';
import { DeviceFields } from './devices/device.fields.js';
import { devicesProjection, registrationTimers } from './devices/devices.projection.js';
import { missedEventTypes } from './missed/missed.events.js';
import { missedProjection, missedTimers } from './missed/missed.projection.js';
import { noticeEventTypes } from './notices/notice.events.js';
import { noticesProjection, noticeTimers, pushedProjection } from './notices/notice.projections.js';
import { NotificationsModule } from './notifications.module.js';
import { mailTemplates } from '#mail';
import { RegisterAtService } from './devices/register-at-service.js';
import { BatchMissedMessages, MailMissedMessages } from './missed/batch-missed.js';
import { MissedMail } from './missed/missed-mail.js';
import { TellNotice } from './notices/tell-notice.js';
import { Notifier } from './notices/notifier.js';

/** Notifications of people who are away, on their devices and by mail. */
export const notifications = defineFeature({
  name: 'notifications',
  events: [...deviceEventTypes, ...noticeEventTypes, ...missedEventTypes],
  projections: [devicesProjection, noticesProjection, pushedProjection, missedProjection],
  followUps: { 'missed-mail.batched.v1': MailMissedMessages },
  clientEvents: [DeviceClientEvents],
  timers: [
    { source: registrationTimers, handler: RegisterAtService },
    { source: noticeTimers, handler: TellNotice },
    { source: missedTimers, handler: BatchMissedMessages },
  ],
  additions: [mailTemplates(MissedMail)],
  work: [Notifier],
  register: [DeviceFields],
  module: NotificationsModule,
});
