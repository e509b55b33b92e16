import { ManualClock } from '#testing';
import { LINK_LIFETIME_SECONDS, TemporaryLinks } from './temporary-links.js';

const clock = new ManualClock(1_000_000_000);
const links = new TemporaryLinks('s'.repeat(32), clock);

test('a token opens its file until it expires', () => {
  const token = links.tokenFor(7);
  expect(links.fileIdOf(token)).toBe(7);
  const later = new ManualClock(1_000_000_000 + (LINK_LIFETIME_SECONDS - 1) * 1000);
  expect(new TemporaryLinks('s'.repeat(32), later).fileIdOf(token)).toBe(7);
  const late = new ManualClock(1_000_000_000 + LINK_LIFETIME_SECONDS * 1000);
  expect(new TemporaryLinks('s'.repeat(32), late).fileIdOf(token)).toBeUndefined();
});

test('a token cannot be made or changed without the secret', () => {
  const token = links.tokenFor(7);
  const [fileId, expiresAt, signature] = /^(\d+)-(\d+)-(.+)$/.exec(token)!.slice(1);
  const others = [
    `8-${expiresAt}-${signature}`,
    `${fileId}-${Number(expiresAt) + 1}-${signature}`,
    `${fileId}-${expiresAt}-${'A'.repeat(43)}`,
    `${fileId}-${expiresAt}-${signature}A`,
    `${fileId}-${expiresAt}-`,
    `${fileId}-${expiresAt}`,
    ` ${token}`,
    '',
  ];
  for (const other of others) expect(links.fileIdOf(other)).toBeUndefined();
  expect(new TemporaryLinks('t'.repeat(32), clock).fileIdOf(token)).toBeUndefined();
});
