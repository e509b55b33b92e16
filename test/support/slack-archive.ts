/** A workspace as Slack exports it. */
const START = 1_600_000_000;
const DAY = 86_400;

const person = (id: string, name: string, more: object = {}) => ({
  id,
  name: name.toLowerCase().replace(' ', '.'),
  deleted: false,
  is_bot: false,
  tz: 'Europe/Berlin',
  profile: { real_name: name, display_name: null, email: `${id.toLowerCase()}@example.test` },
  ...more,
});

const said = (user: string, text: string, at: number, more: object = {}) => {
  return { type: 'message', user, text, ts: `${START + at}.000${100 + (at % 900)}`, ...more };
};

/** The entries of a small workspace with everything that the format has. */
export function slackArchive(): Record<string, unknown> {
  const root = said('UANN', 'Where do we *eat* &amp; drink today?', 10, {
    reply_count: 2,
    edited: { user: 'UANN', ts: '1' },
  });
  const thread = { thread_ts: root.ts };
  return {
    'users.json': [
      person('UOWN', 'Olive Owner', { is_primary_owner: true, is_owner: true, is_admin: true }),
      person('UANN', 'Ann Archer'),
      person('UBEN', 'Ben Baker', { is_admin: true }),
      person('UGUE', 'Gus Guest', { is_restricted: true }),
      person('UOLD', 'Old Hand', { deleted: true }),
      person('UBOT', 'Robot', { is_bot: true, profile: { real_name: 'Q&amp;A Robot' } }),
    ],
    'channels.json': [
      {
        id: 'CRAN',
        name: 'random',
        created: START,
        creator: 'UANN',
        is_archived: false,
        members: ['UANN', 'UBEN', 'UOWN'],
        purpose: { value: 'What has <https://example.test|no other> place &amp; time' },
      },
      { id: 'CGEN', name: 'general', created: START, creator: 'UOWN', members: ['UANN', 'UBEN', 'UOWN', 'UGUE'] },
      { id: 'COLD', name: 'past', created: START, creator: 'UOLD', is_archived: true, members: [] },
    ],
    'groups.json': [{ id: 'GDEN', name: 'den', created: START, creator: 'UBEN', members: ['UANN', 'UBEN'] }],
    'mpims.json': [{ id: 'GMP', name: 'mpdm-ann--ben--olive-1', members: ['UANN', 'UBEN', 'UOWN'] }],
    'dms.json': [{ id: 'DAB', created: START, members: ['UANN', 'UBEN'] }],
    'general/2020-09-13.json': [
      { type: 'message', subtype: 'channel_join', user: 'UANN', text: 'joined', ts: `${START}.000001` },
      root,
      said('UBEN', '<@UANN> ask <@UNEW> in <#CRAN|random> or <#CNEW|q&amp;a> :pizza:', 20, thread),
      said('UGUE', 'anywhere &lt;3', 30, {
        ...thread,
        reactions: [
          { name: '+1::skin-tone-2', users: ['UANN', 'UBEN'], count: 2 },
          { name: 'company_logo', users: ['UANN'], count: 1 },
        ],
      }),
      said('UOLD', 'I *was* _here_ ~once~, see <https://example.test/a_b_c|the page>', 40),
    ],
    'general/2020-09-14.json': [
      said('UANN', '', DAY, {
        files: [
          { id: 'F1', name: 'a.png', title: 'A picture &amp;lt; frame', url_private: 'https://files.example.test/F1' },
        ],
      }),
      {
        ...said('UBEN', 'ran ```if a < b:\n  *go*```', DAY + 1),
        user: undefined,
        bot_id: 'B1',
        username: 'Build &amp; Deploy',
        subtype: 'bot_message',
      },
      said('UBEN', 'late answer', DAY + 2, thread),
    ],
    'random/2020-09-13.json': [said('UBEN', 'waves', 15, { subtype: 'me_message' })],
    'past/2020-09-13.json': [said('UNEW', 'long ago', 5)],
    'den/2020-09-13.json': [said('UBEN', 'for two', 16)],
    'mpdm-ann--ben--olive-1/2020-09-13.json': [said('UOWN', 'we three', 17)],
    'DAB/2020-09-13.json': [said('UANN', 'we two', 18)],
  };
}

/** A workspace with many messages: threads, mentions, styles and reactions among them. */
export function largeSlackArchive(messages: number): Record<string, unknown> {
  const entries = slackArchive();
  const perDay = 1_000;
  for (let first = 0; first < messages; first += perDay) {
    const at = 2 * DAY + (first / perDay) * DAY;
    const day = new Date((START + at) * 1000).toISOString().slice(0, 10);
    entries[`random/${day}.json`] = Array.from({ length: Math.min(perDay, messages - first) }, (_, index) =>
      said(
        index % 2 === 0 ? 'UANN' : 'UBEN',
        `message ${first + index} with *style* for <@UBEN>, <https://example.test>`,
        at + index,
        {
          ...(index % 10 === 0 ? { reply_count: 3 } : {}),
          ...(index % 10 === 0
            ? {}
            : index % 10 < 4
              ? { thread_ts: `${START + at + index - (index % 10)}.000${100 + ((at + index - (index % 10)) % 900)}` }
              : {}),
          ...(index % 5 === 0 ? { reactions: [{ name: 'tada', users: ['UANN', 'UBEN'], count: 2 }] } : {}),
        },
      ),
    );
  }
  return entries;
}
