/** Rows with what an event recorded leave out credentials by the names of their fields: every credential has one of these names. */
import type { TSchema } from 'typebox';
import { isCredential, partsOf } from '#event-store';
import { scrollback } from '#runtime';
import { SECRET_FIELDS } from '#audit';

/** Paths of the credentials below a schema. */
function credentialsIn(schema: TSchema, path: string): string[] {
  if (isCredential(schema)) return [path];
  return partsOf(schema).flatMap(([name, part]) => credentialsIn(part, path + name));
}

test('each credential in an event has a name that is left out', () => {
  const found = scrollback.features.events.flatMap(({ name, schema }) =>
    credentialsIn(schema, '').map((path) => `${name} ${path}`),
  );
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter((path) => !path.split('.').some((name) => SECRET_FIELDS.has(name)))).toEqual([]);
});
