import { specFor } from '#testing';
import { statusDecider } from './status.decider.js';

const who = { userId: 7, at: 1_790_000_000 };
const given = specFor(statusDecider);

describe('the status', () => {
  const by = 7;
  const emoji = { name: 'tada', code: '1f389', type: 'unicode_emoji' } as const;
  const asked = { type: 'set-status', ...who, actorId: by } as const;
  const changed = (parts: { text?: string; emoji?: typeof emoji | null }) => ({
    type: 'user-status.changed.v1' as const,
    data: { ...who, ...parts, by },
  });
  const shares = (presence_enabled: boolean) => ({
    type: 'user-settings.changed.v1' as const,
    data: { ...who, settings: { presence_enabled } },
  });

  test('changes by what is different', () => {
    given()
      .when({ ...asked, text: ' here ', emoji })
      .then(changed({ text: 'here', emoji }));
    given(changed({ text: 'here', emoji }))
      .when({ ...asked, text: 'here', emoji: null })
      .then(changed({ emoji: null }));
    given(changed({ text: 'here', emoji }))
      .when({ ...asked, text: '' })
      .then(changed({ text: '' }));
  });
  test('as it is already', () => {
    given(changed({ text: 'here', emoji }))
      .when({ ...asked, text: 'here', emoji: { ...emoji }, isAway: false })
      .thenNothing();
    given()
      .when({ ...asked, text: '', emoji: null })
      .thenNothing();
  });
  test('being away is a setting', () => {
    given()
      .when({ ...asked, text: 'out', isAway: true })
      .then(changed({ text: 'out' }), shares(false));
    given(shares(false))
      .when({ ...asked, isAway: false })
      .then(shares(true));
  });
  test.each(['x'.repeat(61), 'a\0b'])('%j is refused', (text) => {
    given()
      .when({ ...asked, text })
      .thenRefused('BAD_REQUEST');
  });
});
