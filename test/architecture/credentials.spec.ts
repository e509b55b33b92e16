/** Fields of events whose names sound like credentials are marked as such, so that no archive has them, or stand here with a reason. */
import type { TSchema } from 'typebox';
import { isCredential, partsOf } from '#event-store';
import { scrollback } from '#runtime';

const SOUNDS_SECRET = /pass|hash|token|secret|key|credential|private|signature|nonce|salt|cookie|bytes/i;

/** Events of streams that are in no archive as a whole (docs/export.md). */
const NOT_ARCHIVED = /^(?:push-token|client-device|push-registration)\./;

const NO_CREDENTIALS: Readonly<Record<string, string>> = {
  'send.reserved.v1 .requestHash': 'tells requests apart',
  'file.uploaded.v1 .token': 'an address, which opens nothing',
  'file.uploaded.v1 .hash': 'names content',
  'file.uploaded.v1 .image.thumbnails[].hash': 'names content',
  'export.finished.v1 .hash': 'names content that is in no archive',
  'bot-storage.removed.v1 .keys[]': 'names of values',
};

/** Paths of texts below a schema that are not marked. */
function unmarked(schema: TSchema, path: string): string[] {
  if (isCredential(schema)) return [];
  if ((schema as { type?: unknown }).type === 'string') return [path];
  return partsOf(schema).flatMap(([name, part]) => unmarked(part, path + name));
}

/** The last name of a path. */
const nameOf = (path: string): string => path.split('.').at(-1) ?? '';

test('all of them', () => {
  const found = scrollback.features.events
    .filter(({ name }) => !NOT_ARCHIVED.test(name))
    .flatMap(({ name, schema }) => unmarked(schema, '').map((path) => ({ name, path })))
    .filter(({ path }) => SOUNDS_SECRET.test(nameOf(path)))
    .map(({ name, path }) => `${name} ${path}`);
  expect([...new Set(found)].sort()).toEqual(Object.keys(NO_CREDENTIALS).sort());
});

test('those that are known are marked', () => {
  const event = { userId: 4, generation: 1, hash: 'abc', at: 1 };
  expect(scrollback.registry.withoutCredentials('user.api-key-issued.v1', event)).toEqual({ ...event, hash: '000' });
  const service = { name: 'Bot', url: 'https://example.test', interface: 1, token: 'secret' };
  const configured = { userId: 4, service, config: { key: 'x' }, isPrivate: { from: false, to: false }, by: 4, at: 1 };
  const { config: _, ...kept } = configured;
  const archived = { ...kept, service: { ...service, token: '000000' } };
  expect(scrollback.registry.withoutCredentials('bot.configured.v1', configured)).toEqual(archived);
});
