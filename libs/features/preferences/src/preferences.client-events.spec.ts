import type { RecordedEvent } from '#event-store';
import type { FeedEntry } from '#feed';
import { Directory } from '#people';
import { PreferencesClientEvents } from './preferences.client-events.js';

test('clients are told the code of a language in lower case, however a former release stored it', () => {
  const directory = new Directory();
  const derivations = new PreferencesClientEvents(directory).on as Readonly<
    Record<string, (event: RecordedEvent, directory: Directory) => readonly FeedEntry[]>
  >;
  const settings = { default_language: 'DE', emojiset: 'google' };
  const type = 'user-settings.changed.v1';
  const entries = derivations[type]!(
    { type, data: { userId: 2, settings, at: 1 } } as unknown as RecordedEvent,
    directory,
  );
  expect(entries.map(({ type, body }) => [type, body])).toEqual([
    ['user_settings', { property: 'default_language', value: 'de' }],
    ['update_display_settings', { property: 'default_language', value: 'de' }],
    ['user_settings', { property: 'emojiset', value: 'google' }],
    ['update_display_settings', { property: 'emojiset', value: 'google' }],
  ]);
});
