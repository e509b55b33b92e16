import { s3AddressOf } from './s3-address.js';

test('everything is in the address', () => {
  const address =
    's3://KEY:se%2Fcr+et%25@store.example.test:9000/files/chat/one?region=eu-west-1&tlsCAFile=/trust/ca.crt';
  expect(s3AddressOf(address)).toEqual({
    endpoint: 'https://store.example.test:9000',
    bucket: 'files',
    prefix: 'chat/one/',
    region: 'eu-west-1',
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'se/cr+et%' },
    isPathStyle: true,
    caFile: '/trust/ca.crt',
  });
});

test('a host and a bucket are enough', () => {
  expect(s3AddressOf('s3://store.example.test/files/?tls=false&addressing=virtual')).toEqual({
    endpoint: 'http://store.example.test',
    bucket: 'files',
    prefix: '',
    region: 'us-east-1',
    credentials: undefined,
    isPathStyle: false,
    caFile: undefined,
  });
});

test.each([
  ['s3:files', 'it is no address'],
  ['s3://KEY:sec/ret@host/files', 'it is no address'],
  ['s3:///files', 'it names no host'],
  ['s3://KEY:sec#ret@host/files', 'it'],
  ['s3://KEY:secret@host', 'bucket'],
  ['s3://KEY:secret@host/Files', 'bucket'],
  ['s3://KEY:secret@host/files/a//b', 'what follows the bucket'],
  ['s3://KEY:secret@host/files/.hidden', 'what follows the bucket'],
  ['s3://KEY:secret@host/files?ssl=true', 'unknown option: ssl'],
  ['s3://KEY:secret@host/files?tls=no', 'tls'],
  ['s3://KEY:secret@host/files?addressing=host', 'addressing'],
  ['s3://KEY:secret@host/files?region=EU/1', 'region'],
  ['s3://KEY@host/files', 'both KEY and SECRET'],
  ['s3://KEY:sec%ret@host/files', '%25'],
])('%s is refused', (text, reason) => {
  const read = (): unknown => s3AddressOf(text);
  expect(read).toThrow(TypeError);
  expect(read).toThrow(reason);
  expect(read).not.toThrow(/sec.?ret\b|KEY:sec/);
});
