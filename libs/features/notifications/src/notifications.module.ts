import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readerProvider } from '#feature';
import { MailModule } from '#mail';
import { MessagesModule } from '#messages';
import { ChangeDevicesHandler } from './devices/change-devices.js';
import { DeviceClientEvents } from './devices/device.client-events.js';
import { DeviceFields } from './devices/device.fields.js';
import { devicesCollection } from './devices/devices.projection.js';
import { DevicesReader } from './devices/devices.reader.js';
import { RegisterAtService } from './devices/register-at-service.js';
import { TestNotificationHandler, TestPlainNotificationHandler } from './devices/test-notification.js';
import { DevicesController } from './http/devices.controller.js';
import { UnsubscribeController } from './http/unsubscribe.controller.js';
import { BatchMissedMessages, MailMissedMessages } from './missed/batch-missed.js';
import { MissedMail } from './missed/missed-mail.js';
import { MissedMessages } from './missed/missed-messages.js';
import { missedCollection } from './missed/missed.projection.js';
import { MissedReader } from './missed/missed.reader.js';
import { UnsubscribeHandler } from './missed/unsubscribe.js';
import { UnsubscribeLinks } from './missed/unsubscribe-links.js';
import { HiddenMessages } from './notices/hidden-messages.js';
import { MailBatches } from './notices/mail-batches.js';
import { NoticeQueue } from './notices/notice-queue.js';
import { noticesCollection, pushedCollection } from './notices/notice.projections.js';
import { Notifier } from './notices/notifier.js';
import { NoticesReader, PushedReader } from './notices/pushed.reader.js';
import { Recipients } from './notices/recipients.js';
import { TellNotice } from './notices/tell-notice.js';
import { PushSender } from './push/push-sender.js';

/** Providers that the feed and the register response use. */
const open = [DeviceClientEvents, DeviceFields];

/** Notifications of people who are away. */
@Global()
@Module({
  imports: [CqrsModule, MailModule, MessagesModule],
  controllers: [DevicesController, UnsubscribeController],
  providers: [
    ...open,
    readerProvider(DevicesReader, devicesCollection),
    ChangeDevicesHandler,
    BatchMissedMessages,
    MailBatches,
    MailMissedMessages,
    MissedMail,
    MissedMessages,
    UnsubscribeHandler,
    UnsubscribeLinks,
    readerProvider(MissedReader, missedCollection),
    HiddenMessages,
    NoticeQueue,
    Notifier,
    PushSender,
    Recipients,
    TellNotice,
    readerProvider(NoticesReader, noticesCollection),
    readerProvider(PushedReader, pushedCollection),
    RegisterAtService,
    TestNotificationHandler,
    TestPlainNotificationHandler,
  ],
  exports: [...open],
})
export class NotificationsModule {}
