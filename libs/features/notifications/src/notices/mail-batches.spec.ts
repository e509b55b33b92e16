import { botsPart } from '#bots/model';
import { Directory } from '#people';
import { preferencesPart } from '#preferences/model';
import { MISSED_MAX } from '../missed/missed.projection.js';
import { MailBatches } from './mail-batches.js';

const BEN = 4;
const CLEO = 5;
const PERIOD_SECONDS = 120;

function full(now: number): MailBatches {
  const batches = new MailBatches(new Directory([preferencesPart, botsPart]));
  for (let count = 0; count < MISSED_MAX; count++) {
    expect(batches.hasRoom(BEN, now)).toBe(true);
    batches.join(BEN, now);
  }
  return batches;
}

test('a batch is due a period after its first message', () => {
  const batches = new MailBatches(new Directory([preferencesPart, botsPart]));
  expect(batches.join(BEN, 1000)).toBe(1000 + PERIOD_SECONDS);
  expect(batches.join(BEN, 1119)).toBe(1000 + PERIOD_SECONDS);
  expect(batches.join(CLEO, 1119)).toBe(1119 + PERIOD_SECONDS);
  expect(batches.join(BEN, 1120)).toBe(1120 + PERIOD_SECONDS);
});

test('a batch takes as many messages as a mail is about, each user has their own, and the next one is empty', () => {
  const batches = full(1000);
  expect(batches.hasRoom(BEN, 1119)).toBe(false);
  expect(batches.hasRoom(CLEO, 1119)).toBe(true);
  expect(batches.hasRoom(BEN, 1120)).toBe(true);
  batches.join(BEN, 1120);
  expect(batches.hasRoom(BEN, 1121)).toBe(true);
});

test('a user who has read messages misses others after them', () => {
  const batches = full(1000);
  batches.read(CLEO);
  expect(batches.hasRoom(BEN, 1001)).toBe(false);
  batches.read(BEN);
  expect(batches.hasRoom(BEN, 1001)).toBe(true);
  expect(batches.join(BEN, 1001)).toBe(1000 + PERIOD_SECONDS);
});
