import type { CommandRunner } from '#event-store';
import { BY_SERVER, type Refusal } from '#kernel';
import type { Directory } from '#people';
import type { Site } from '#realm/model';
import type { PushReports, PushService } from '#push';
import type { WaitingMessages } from '#reading';
import { ManualClock, OpenGate, sampleUser } from '#testing';
import { noDevices } from '../devices/devices.js';
import type { DevicesReader } from '../devices/devices.reader.js';
import type { PushSender } from '../push/push-sender.js';
import type { NoticeQueue } from './notice-queue.js';
import type { NoticesReader } from './pushed.reader.js';
import { TellNotice } from './tell-notice.js';

const ANN = sampleUser(4);

test.each([
  [true, 'reported'],
  [false, 'SERVER_NOT_READY'],
])('who has no device is told only by whole read models (%p)', async (isWhole, outcome) => {
  const gate = new OpenGate();
  const done: string[] = [];
  const left = [{ userId: ANN.userId, trigger: 'mention' }];
  const notices = { get: async () => ({ kind: 'removal', left, messageIds: [7] }) } as unknown as NoticesReader;
  const devices = {
    of: async () => {
      gate.isWhole = isWhole;
      return noDevices(ANN.userId);
    },
  } as unknown as DevicesReader;
  const organization = { uuid: 'u', name: 'Acme' };
  const directory = { user: () => ANN, organization, permission: () => 1 } as unknown as Directory;
  const sender = { sendEncrypted: async () => undefined, sendPlainly: async () => undefined } as unknown as PushSender;
  const runner = { run: async () => done.push('reported') } as unknown as CommandRunner;
  const telling = new TellNotice(
    notices,
    {} as unknown as WaitingMessages,
    devices,
    directory,
    { url: 'https://chat.test' } as unknown as Site,
    sender,
    { isConfigured: true } as unknown as PushService,
    {} as unknown as NoticeQueue,
    runner,
    new ManualClock(),
    {} as unknown as PushReports,
  );
  await telling.fire('r1', await gate.enter(), BY_SERVER).catch((error: unknown) => done.push((error as Refusal).code));
  expect(done).toEqual([outcome]);
});
