import { Directory } from '#people';
import { realmPart } from '../realm.part.js';
import { evolveRealm, NEW_REALM } from './realm-settings.js';

test('the codes of languages are in lower case, however a former release stored them', () => {
  const [settings, at] = [{ default_language: 'DE' }, 1];
  const changed = evolveRealm(NEW_REALM, { type: 'organization.settings-changed.v1', data: { by: 2, settings, at } });
  const state = evolveRealm(changed, { type: 'organization.user-defaults-changed.v1', data: { by: 2, settings, at } });
  expect([state.settings.default_language, state.userDefaults]).toEqual(['de', { default_language: 'de' }]);
  const directory = new Directory();
  directory.restore({ ...directory.snapshot(), realm: { ...state, settings: { ...state.settings, ...settings } } });
  expect(directory.of(realmPart).settings.default_language).toBe('de');
});
