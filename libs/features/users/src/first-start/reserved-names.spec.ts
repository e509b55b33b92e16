import { isReservedName } from './reserved-names.js';

test.each([
  'Notification Bot',
  'notification-bot',
  'NOTIFICATION  BOT.',
  'Νotificatiоn Bοt',
  'Notlfication Bot',
  'N0tification B0t',
  'Nötification Bot',
  'Ｎｏｔｉｆｉｃａｔｉｏｎ Ｂｏｔ',
  '𝐖𝐞𝐥𝐜𝐨𝐦𝐞 𝐁𝐨𝐭',
  'VVelcorne Bot',
  'WELCOME ВОТ',
  'Wеlcоmе_Bot',
  'Emаil Gateway',
])('%s looks like a bot of the server', (name) => {
  expect(isReservedName(name)).toBe(true);
});

test.each(['Ann Archer', 'Notification Bottle', 'Welcome', 'Bot', 'Willkommen Bot', 'Емельян', '山田 太郎'])(
  '%s does not',
  (name) => {
    expect(isReservedName(name)).toBe(false);
  },
);
