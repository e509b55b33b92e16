import { TEXT_LENGTH_MAX } from '../translated/message-text.js';
import { markdownOfMattermost } from './mattermost-markup.js';

const names = {
  mention: (name: string) =>
    new Map([
      ['ann', '@**Ann**'],
      ['b.c', '@**Bob|7**'],
      ['dot.', '@**Dot**'],
    ]).get(name),
  channel: (name: string) => (name === 'dev' ? 'Development' : undefined),
};

test.each([
  ['plain', 'plain'],
  ['**bold** _it_ ~~gone~~ :tada: # x', '**bold** _it_ ~~gone~~ :tada: # x'],
  ['@ann, @ANN. (@ann)', '@**Ann**, @**Ann**. (@**Ann**)'],
  ['@b.c. @dot. @dot.. @nobody.', '@**Bob|7**. @**Dot** @**Dot**. @nobody.'],
  ['mail ann@ann.test, x@ann, https://x.test/@ann', 'mail ann@ann.test, x@ann, https://x.test/@ann'],
  ['@all @channel @here @Here! @allies', '@**all** @**all** @**all** @**all**! @allies'],
  ['~dev, ~dev-2 ~~dev~~ a~dev', '#**Development**, ~dev-2 ~~dev~~ a~dev'],
  ['`@ann ~dev $a$`', '`@ann ~dev $a$`'],
  ['```\n@ann\n```\n@ann', '```\n@ann\n```\n@**Ann**'],
  ['```\n@ann', '```\n@ann'],
  ['```latex\na\n```', '```math\na\n```'],
  ['costs $5 or $6, $a+b$ is not', 'costs $5 or $6, $$a+b$$ is not'],
  ['![x](https://x.test/a.png)', '[x](https://x.test/a.png)'],
  ['![](https://x.test/a.png =100x "t")', '[https://x.test/a.png](https://x.test/a.png)'],
])('%j', (text, markdown) => {
  expect(markdownOfMattermost(text, names)).toBe(markdown);
});

test('overlong text, also the worst, is cut', () => {
  for (const part of ['`', '```\n', '![', '![](', '$a', '@a', '~', '~a ', '@a.', ' ![x](a =1'])
    expect(markdownOfMattermost(part.repeat((1.25 * TEXT_LENGTH_MAX) / part.length), names).length).toBeLessThanOrEqual(
      TEXT_LENGTH_MAX,
    );
});
