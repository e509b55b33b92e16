import { render } from '../index.js';
import { world } from '../world.fixture.js';

const html = (content: string): string => render(content, world).html;
const p = (inner: string): string => `<p>${inner}</p>`;
const NOBODY = {
  users: [],
  silentUsers: [],
  groups: [],
  silentGroups: [],
  channelWildcard: false,
  topicWildcard: false,
};

const FULL_NAME = '<span class="user-mention" data-user-id="12">@Full Name</span>';

describe('mentions of users', () => {
  test.each([
    ['@**Full Name**', p(FULL_NAME)],
    ['@**Full Name|12**', p(FULL_NAME)],
    ['@**|12**', p(FULL_NAME)],
    ['(@**Full Name**)', p(`(${FULL_NAME})`)],
    ['@_**Full Name**', p('<span class="user-mention silent" data-user-id="12">Full Name</span>')],
    ['@**Twin|14**', p('<span class="user-mention" data-user-id="14">@Twin</span>')],
    ['@**|15**', p('<span class="user-mention" data-user-id="15">@"&gt;&lt;img src=x onerror=alert(1)&gt;</span>')],
    ['[@**Full Name**](/x)', p(`<a href="/x">${FULL_NAME}</a>`)],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(expected);
  });

  test.each([
    ['@**Nobody**', p('@<strong>Nobody</strong>')],
    ['@**Twin**', p('@<strong>Twin</strong>')],
    ['@**Other|12**', p('@<strong>Other|12</strong>')],
    ['@**Full Name|99**', p('@<strong>Full Name|99</strong>')],
    ['a@**Full Name**', p('a@<strong>Full Name</strong>')],
    ['`@**Full Name**`', p('<code>@**Full Name**</code>')],
    ['\\@**Full Name**', p('@<strong>Full Name</strong>')],
  ])('%j is none', (source, expected) => {
    expect(html(source)).toBe(expected);
    expect(render(source, world).mentions).toEqual(NOBODY);
  });
});

describe('mentions of groups and wildcards', () => {
  test.each([
    ['@*group*', '<span class="user-group-mention" data-user-group-id="5">@group</span>'],
    ['@_*group*', '<span class="user-group-mention silent" data-user-group-id="5">group</span>'],
    ['@*role:members*', '<span class="user-group-mention silent" data-user-group-id="6">Members</span>'],
    ['@*nothing*', '@<em>nothing</em>'],
    ['@**all**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span>'],
    ['@**everyone**', '<span class="user-mention channel-wildcard-mention" data-user-id="*">@everyone</span>'],
    ['@_**channel**', '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">channel</span>'],
    ['@**topic**', '<span class="topic-mention">@topic</span>'],
    ['@_**topic**', '<span class="topic-mention silent">topic</span>'],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(p(expected));
  });
});

describe('who is told', () => {
  test.each([
    ['@**Full Name** @**Full Name** @_**Full Name**', { ...NOBODY, users: [12] }],
    ['@_**Full Name** @**Twin|13**', { ...NOBODY, users: [13], silentUsers: [12] }],
    ['@*group* @*role:members*', { ...NOBODY, groups: [5, 6] }],
    ['@*group* @_*role:members*', { ...NOBODY, groups: [5], silentGroups: [6] }],
    ['@**all**', { ...NOBODY, channelWildcard: true }],
    ['@_**all** @_**topic**', NOBODY],
    ['@**topic**', { ...NOBODY, topicWildcard: true }],
    ['> @**Full Name** @**all** @**topic**', { ...NOBODY, silentUsers: [12] }],
    ['```quote\n@*group*\n```\n@**Full Name**', { ...NOBODY, users: [12], silentGroups: [5] }],
    ['> a\n\n@**Full Name**', { ...NOBODY, users: [12] }],
    ['```\n@**all**\n```', NOBODY],
    ['    @**all**', NOBODY],
    ['```spoiler x\n@**all**\n```', { ...NOBODY, channelWildcard: true }],
    ['|@**Full Name**|\n|-|', { ...NOBODY, users: [12] }],
    ['[a @**Nobody** @**Full Name**', { ...NOBODY, users: [12] }],
    ['[a @**Full Name**](javascript:x)', { ...NOBODY, users: [12] }],
  ])('%j', (source, expected) => {
    expect(render(source, world).mentions).toEqual(expected);
  });
});

describe('links to channels', () => {
  test.each([
    ['#**announce**', '<a class="stream" data-stream-id="9" href="/#narrow/channel/9-announce">#announce</a>'],
    ['#**core team**', '<a class="stream" data-stream-id="10" href="/#narrow/channel/10-core-team">#core team</a>'],
    [
      '#**announce>Zulip updates**',
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/Zulip.20updates/with/214">#announce &gt; Zulip updates</a>',
    ],
    [
      '#**announce>x.y**',
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/x.2Ey">#announce &gt; x.y</a>',
    ],
    [
      '#**announce>**',
      '<a class="stream-topic" data-stream-id="9" href="/#narrow/channel/9-announce/topic/">#announce &gt; <em>general chat</em></a>',
    ],
    [
      '#**announce>a > b@214**',
      '<a class="message-link" href="/#narrow/channel/9-announce/topic/a.20.3E.20b/near/214">#announce &gt; a &gt; b @ 💬</a>',
    ],
    ['#**nowhere**', '#<strong>nowhere</strong>'],
    ['a#**announce**', 'a#<strong>announce</strong>'],
  ])('%j', (source, expected) => {
    expect(html(source)).toBe(p(expected));
  });

  test('none stands inside another link', () => {
    expect(html('[#**announce**](/x)')).toBe(p('<a href="/x">#<strong>announce</strong></a>'));
  });

  test('they do not count as links', () => {
    expect(render('#**announce**', world).hasLink).toBe(false);
  });
});
