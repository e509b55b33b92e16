import { defineFeature, readerProvider, PendingWork } from '#feature';
import { mailTemplates } from '#mail';
import { changeDevices } from './devices/change-devices.js';
import { DeviceClientEvents } from './devices/device.client-events.js';
import { deviceEventTypes } from './devices/device.events.js';
import { DeviceFields } from './devices/device.fields.js';
import { devicesProjection, registrationTimers, devicesCollection } from './devices/devices.projection.js';
import { DevicesReader } from './devices/devices.reader.js';
import { PendingRegistrations } from './devices/pending-registrations.js';
import { RegisterAtService } from './devices/register-at-service.js';
import { testNotification, testPlainNotification } from './devices/test-notification.js';
import { DevicesController } from './http/devices.controller.js';
import { UnsubscribeController } from './http/unsubscribe.controller.js';
import { BatchMissedMessages, MailMissedMessages } from './missed/batch-missed.js';
import { MissedMail } from './missed/missed-mail.js';
import { MissedMessages } from './missed/missed-messages.js';
import { missedEventTypes } from './missed/missed.events.js';
import { missedProjection, missedTimers, missedCollection } from './missed/missed.projection.js';
import { MissedReader } from './missed/missed.reader.js';
import { UnsubscribeLinks } from './missed/unsubscribe-links.js';
import { unsubscribe } from './missed/unsubscribe.js';
import { HiddenMessages } from './notices/hidden-messages.js';
import { MailBatches } from './notices/mail-batches.js';
import { NoticeQueue } from './notices/notice-queue.js';
import { noticeEventTypes } from './notices/notice.events.js';
import {
  noticesProjection,
  noticeTimers,
  pushedProjection,
  noticesCollection,
  pushedCollection,
} from './notices/notice.projections.js';
import { Notifier } from './notices/notifier.js';
import { NoticesReader, PushedReader } from './notices/pushed.reader.js';
import { Recipients } from './notices/recipients.js';
import { PendingNotices } from './notices/pending-notices.js';
import { TellNotice } from './notices/tell-notice.js';
import { PushSender } from './push/push-sender.js';
import { deviceEventSchemas, deviceFieldSchemas } from './devices/wire-devices.js';

/** Notifications of people who are away, on their devices and by mail. */
export const notifications = defineFeature({
  name: 'notifications',
  events: [...deviceEventTypes, ...noticeEventTypes, ...missedEventTypes],
  projections: [devicesProjection, noticesProjection, pushedProjection, missedProjection],
  followUps: { 'missed-mail.batched.v1': MailMissedMessages },
  clientEvents: [DeviceClientEvents],
  eventSchemas: [deviceEventSchemas],
  timers: [
    { source: registrationTimers, handler: RegisterAtService },
    { source: noticeTimers, handler: TellNotice },
    { source: missedTimers, handler: BatchMissedMessages },
  ],
  additions: [mailTemplates(MissedMail), { to: PendingWork, items: [PendingNotices, PendingRegistrations] }],
  work: [Notifier],
  register: [DeviceFields],
  registerSchemas: [deviceFieldSchemas],
  commands: [changeDevices, testNotification, testPlainNotification, unsubscribe],
  controllers: [DevicesController, UnsubscribeController],
  providers: [
    readerProvider(DevicesReader, devicesCollection),
    MailBatches,
    MissedMessages,
    UnsubscribeLinks,
    readerProvider(MissedReader, missedCollection),
    HiddenMessages,
    NoticeQueue,
    PushSender,
    Recipients,
    readerProvider(NoticesReader, noticesCollection),
    readerProvider(PushedReader, pushedCollection),
  ],
});
