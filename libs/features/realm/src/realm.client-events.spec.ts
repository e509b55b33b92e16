import type { RecordedEvent } from '#event-store';
import type { FeedEntry } from '#feed';
import { Directory } from '#people';
import type { Integrations } from './model/server/integrations.js';
import { RealmClientEvents } from './realm.client-events.js';

test('clients are told the codes of languages in lower case, however a former release stored them', () => {
  const directory = new Directory();
  const derivations = new RealmClientEvents({} as unknown as Integrations).on as Readonly<
    Record<string, (event: RecordedEvent, directory: Directory) => readonly FeedEntry[]>
  >;
  const data = { by: 2, settings: { default_language: 'DE' }, at: 1 };
  const entries = ['organization.settings-changed.v1', 'organization.user-defaults-changed.v1'].flatMap((type) =>
    derivations[type]!({ type, data } as unknown as RecordedEvent, directory),
  );
  const body = { op: 'update', property: 'default_language', value: 'de' };
  expect(entries.map((entry) => [entry.type, entry.body])).toEqual([
    ['realm', body],
    ['realm_user_settings_defaults', body],
  ]);
});
