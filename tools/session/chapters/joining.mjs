// Invitations, ways to sign in, pages; and at the end the keys, queues and the organization itself.
import { createHmac } from 'node:crypto';
import { Browser } from '../browser.mjs';
import { JWT_KEY } from '../server.mjs';

export async function joining(session) {
  const { recorder, owner, ann, ben, dora, gus, nobody, kitchen } = session;
  recorder.chapter('Invitations', { isPatient: true });
  await owner.post('/invites', { invitee_emails: 'nell@example.test', stream_ids: [kitchen], invite_as: 400 });
  await owner.post('/invites', { invitee_emails: ann.email, stream_ids: [kitchen] });
  const { invite_link } = await owner.post('/invites/multiuse', { stream_ids: [kitchen], invite_as: 600 });
  await gus.post('/invites/multiuse', { stream_ids: [] });
  const { invites } = await owner.get('/invites');
  const [mail, link] = [false, true].map((isLink) => invites.find(({ is_multiuse }) => is_multiuse === isLink).id);
  await owner.post(`/invites/${mail}/resend`);
  await owner.post('/invites/9999/resend');
  const browser = new Browser(recorder);
  await browser.open(new URL(invite_link).pathname);
  await browser.submit({ full_name: 'Nell Newcomer', email: 'nell@example.test', password: 'a good long password' });
  await owner.delete(`/invites/${mail}`);
  await owner.post('/invites', { invitee_emails: 'later@example.test', stream_ids: [] });
  const [open] = (await recorder.peek(owner, '/invites')).invites.filter(({ email }) => email === 'later@example.test');
  await owner.delete(`/invites/${open.id}`);
  await owner.delete('/invites/9999');
  const soon = { invitee_emails: 'soon@example.test', stream_ids: [], invite_expires_in_minutes: 1 };
  await owner.post('/invites', soon);
  // Mail of an invitation that has expired is dropped.
  const isSoon = (mail) => mail.includes(`To: ${soon.invitee_emails}`);
  await recorder.until('its mail is written', () => recorder.server.mails().some(isSoon));
  recorder.later(120, 'an invitation expires');
  const isOpen = ({ email }) => email === soon.invitee_emails;
  await recorder.until('it has', async () => !(await recorder.peek(owner, '/invites')).invites.some(isOpen));
  await owner.delete(`/invites/multiuse/${link}`);
  await owner.delete(`/invites/multiuse/${link}`);

  recorder.chapter('Ways to sign in', { isPatient: true });
  await nobody.post('/jwt/fetch_api_key', { token: tokenOf({ email: ann.email }), include_profile: true });
  await nobody.post('/jwt/fetch_api_key', { token: 'x.y.z' });
  const page = new Browser(recorder);
  await page.open('/accounts/password/reset/');
  await page.submit({ email: ben.email });
  const signedIn = new Browser(recorder);
  await signedIn.logIn(ben);
  await signedIn.form('/json/fetch_api_key', { password: ben.password });
  await signedIn.form('/json/fetch_api_key', { password: 'wrong' });
  dora.key = (await dora.post('/users/me/api_key/regenerate')).api_key;
  await dora.get('/users/me');
}

export async function limitedGuests(session) {
  const { recorder, owner, gus, cleo } = session;
  recorder.chapter('Guests who do not know everybody', { isPatient: true });
  gus.queue = undefined;
  await owner.patch('/realm', { can_access_all_users_group: { new: 5 } });
  await gus.listen();
  await gus.get('/users');
  await owner.delete('/users/me/subscriptions', { subscriptions: ['kitchen'], principals: [cleo.userId] });
  await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }], principals: [cleo.userId] });
  gus.queue = undefined;
  await owner.patch('/realm', { can_access_all_users_group: { new: 6 } });
  await gus.listen();
}

function tokenOf(claims) {
  const parts = [{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signature = createHmac('sha256', JWT_KEY).update(parts.join('.')).digest('base64url');
  return [...parts, signature].join('.');
}

export async function ending(session) {
  const { recorder, owner, ann, ben, cleo, gus, bot, dora } = session;
  recorder.chapter('The state of everybody');
  for (const client of [owner, ann, ben, cleo, gus, bot]) await client.post('/register', { include_subscribers: true });
  await ann.post('/register', { narrow: [['colour', 'red']] });
  await ben.get('/events', { queue_id: 'unknown', last_event_id: -1 });
  const { queue_id } = cleo.queue;
  await cleo.delete('/events', { queue_id: 'unknown' });
  cleo.queue = undefined;
  await cleo.delete('/events', { queue_id });

  recorder.chapter('The end');
  recorder.isEnding = true;
  await dora.delete('/users/me');
  await owner.delete('/users/me');
  await ann.post('/realm/deactivate');
  await owner.post('/realm/deactivate');
  await ann.get('/users/me');
}
