import { until } from '#testing';
import { fetchPage, submit } from '../support/forms.js';
import { letters } from '../support/letters.js';
import { startTestServer } from '../support/server.js';

/** As many as one organization may invite on a day. */
const INVITATIONS = 1_000;
const AT_ONCE = 20;

test('two who race for one invitation make one account, each time', async () => {
  const server = await startTestServer();
  const emails = Array.from({ length: INVITATIONS }, (_, index) => `racer${index}@example.test`);
  await server.owner.ok('POST', '/invites', {
    invitee_emails: emails.join(),
    stream_ids: [],
    notify_referrer_on_join: false,
  });
  await until(() => letters(server).length === INVITATIONS);
  const links = letters(server).map(({ link }) => link);
  const outcomes: number[] = [];
  const race = async (link: string): Promise<void> => {
    const page = await fetchPage(link);
    const join = (full_name: string) => submit(page, link, { full_name, password: 'a good long password' });
    const answers = await Promise.all([join('Racer One'), join('Racer Two')]);
    outcomes.push(...answers.map(({ status }) => status).sort());
  };
  for (let from = 0; from < links.length; from += AT_ONCE)
    await Promise.all(links.slice(from, from + AT_ONCE).map(race));
  expect(outcomes).toEqual(links.flatMap(() => [303, 404]));
  const { members } = await server.owner.ok('GET', '/users');
  const joined = members.map(({ delivery_email }: { delivery_email: string }) => delivery_email);
  expect(joined.filter((email: string) => email.startsWith('racer')).sort()).toEqual([...emails].sort());
  expect((await server.owner.ok('GET', '/invites')).invites).toEqual([]);
  await server.stop();
}, 1_200_000);
