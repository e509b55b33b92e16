import { emojiByName, emojiGroups, emojiNamesByCode, render } from '../index.js';
import { world } from '../world.fixture.js';

/** Names with the codes that clients send, when they differ from the package that the table is made from. */
const SENT =
  'cat/1f408 dog/1f415 rabbit/1f407 mouse/1f401 cow/1f404 pig/1f416 horse/1f40e tiger/1f405 up/2b06 down/2b07 left/2b05 right/27a1 ' +
  'division/2797 plus/2795 minus/2796 donut/1f369 holiday_tree/1f384 gold/1f947 silver/1f948 bronze/1f949 robot/1f916 detective/1f575 ' +
  'direct_hit/1f3af document/1f4c4 circle/2b55 checkbox/2611 construction/1f3d7 chart/1f4c8 dizzy/1f635 working_on_it/1f6e0 ' +
  'thumbs_up/1f44d +1/1f44d -1/1f44e point_up/1f446 this/1f446 wait_one_second/261d fist_bump/1f44a peace_sign/270c rock_on/1f918 ' +
  'high_five/1f590 stop/1f91a oh_no/1f615 sad/2639 frown/1f641 anguish/1f62b exhausted/1f625 silence/1f910 hurt/1f915 ' +
  'smiling_devil/1f608 devil/1f47f jack-o-lantern/1f383 money_face/1f911 nerd/1f913 cowboy/1f920 clown/1f921 speechless/1f636 ' +
  'mischievous/1f61b heart_kiss/1f618 lipstick_kiss/1f48b calendar/1f4c5 date/1f4c6 moon/1f319 newspaper/1f5de pencil/270f ' +
  'football/26bd american_football/1f3c8 umbrella/2602 train/1f682 truck/1f69b medal/1f3c5 ticket/1f39f hourglass/23f3 ' +
  'transgender_flag/1f3f3-200d-26a7 heart_on_fire/2764-200d-1f525 rainbow_flag/1f3f3-200d-1f308 zero/0030-20e3 ' +
  'flag_united_states/1f1fa-1f1f8 united_states/1f1fa-1f1f8 us/1f1fa-1f1f8 melting_face/1fae0 partying_face/1f973 smile/1f642';

test.each(SENT.split(' ').map((pair) => pair.split('/')))('%s is %s', (name = '', code = '') => {
  expect(emojiByName(name)).toBe(code);
  expect(emojiNamesByCode[code]).toContain(name);
  expect(render(`:${name}:`, world).html).toContain(`class="emoji emoji-${code}"`);
});

test('characters are called by the name that clients know first', () => {
  expect(render('🐈🇺🇸🏳️‍⚧️', world).html.match(/:\w+:/g)).toEqual([':cat:', ':flag_united_states:', ':transgender_flag:']);
});

test('groups have each emoji once, in the order of Unicode', () => {
  expect(emojiGroups.map(({ name, codes: [first] }) => `${name} ${first}`)).toEqual([
    'smileys 1f600',
    'people 1f44b',
    'nature 1f435',
    'food 1f347',
    'travel 1f30d',
    'activities 1f383',
    'objects 1f453',
    'symbols 1f3e7',
    'flags 1f3c1',
  ]);
  const codes = emojiGroups.flatMap((group) => group.codes);
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(codes)).toEqual(new Set(Object.keys(emojiNamesByCode)));
});
