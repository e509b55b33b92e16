import { Refusal } from '#kernel';
import { specFor } from '#testing';
import { decideUpload, fileDecider } from './file.decider.js';
import type { FileRemoved } from './file.events.js';

const file = {
  userId: 7,
  token: 'ab/abcdefghijklmnopqrstuvwx',
  name: 'soup.txt',
  contentType: 'text/plain',
  hash: '0'.repeat(64),
  size: 100,
  atMs: 1_000_000,
};

test.each([
  [0, undefined],
  [0, 100],
  [900, 1000],
])('an upload of 100 bytes beside %d with a quota of %p', (usedBytes, quotaBytes) => {
  expect(decideUpload({ file, usedBytes, quotaBytes })).toEqual({ type: 'file.uploaded.v1', data: file });
});

test.each([
  [901, 1000],
  [0, 99],
  [2000, 1000],
])('an upload of 100 bytes beside %d exceeds a quota of %d', (usedBytes, quotaBytes) => {
  expect(() => decideUpload({ file, usedBytes, quotaBytes })).toThrow(
    new Refusal('REALM_UPLOAD_QUOTA', "Upload would exceed your organization's upload quota."),
  );
});

test('a file is removed once', () => {
  const given = specFor(fileDecider);
  const data = { fileId: 1, userId: 7, size: 100, reason: 'asked', at: 1000 } as const;
  const removed: FileRemoved = { type: 'file.removed.v1', data };
  given().when(data).then(removed);
  given(removed)
    .when({ ...data, reason: 'unused' })
    .thenNothing();
});
