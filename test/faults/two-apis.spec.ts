/** What services outside of the server see of two apis whose timers fire at the same time. */
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { MailServer } from '../support/mail-server.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { json, PushBouncer } from '../support/push-bouncer.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const NOTICES = 14;
const MAILS = 8;
/** Above the time by which the looks of two apis are apart. */
const ANSWER_AFTER_MS = 150;

describeShared('two apis', () => {
  let stores: SharedStores;
  let bouncer: PushBouncer;
  let mails: MailServer;
  let apis: ServerProcess[] = [];
  let owner: ApiClient;
  let connections = 0;

  beforeAll(async () => {
    build();
    [stores, bouncer] = await Promise.all([openSharedStores(), PushBouncer.start()]);
    mails = await MailServer.start({
      onConnect: (_session, callback) => {
        connections++;
        callback();
      },
    });
    const services = { PUSH_BOUNCER_URL: bouncer.url, SMTP_URL: `smtp://127.0.0.1:${mails.port}` };
    const environment = { ...stores.environment, ...services };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', { ...environment, PROJECTOR: 'off' })];
    await Promise.all(apis.map((api) => api.start()));
    owner = apis[0]!.owner();
  });

  afterAll(async () => {
    for (const api of apis) await api.discard();
    await mails.stop();
    await bouncer.stop();
    await stores.stop();
  });

  test(`tell the push service once of each of ${NOTICES} notices`, async () => {
    const [email, password] = ['ann@example.test', 'a good long password'];
    const { user_id: userId } = await owner.ok('POST', '/users', { email, password, full_name: 'Ann' });
    const { api_key: apiKey } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
    const ann = Object.assign(owner.as('Test/1'), { email, apiKey });
    await ann.ok('POST', '/users/me/android_gcm_reg_id', { token: 'a-token' });
    const keys: (string | undefined)[] = [];
    bouncer.answering = ({ key }, response) => {
      keys.push(key);
      setTimeout(() => {
        json(response, {});
      }, ANSWER_AFTER_MS);
    };
    for (let count = 0; count < NOTICES; count++) {
      await owner.sendTo([userId], `message ${count}`);
      await until(() => new Set(keys).size > count);
    }
    expect(keys).toHaveLength(NOTICES);
  });

  test(`open one connection to the mail server for each of ${MAILS} mails`, async () => {
    mails.answering = (answer) => setTimeout(answer, ANSWER_AFTER_MS);
    const emails = Array.from({ length: MAILS }, (_, index) => `guest${index}@example.test`);
    for (const [index, email] of emails.entries()) {
      await owner.ok('POST', '/invites', { invitee_emails: email, stream_ids: '[]', invite_as: 400 });
      await until(() => mails.taken.length > index);
    }
    expect(mails.taken.flatMap(({ to }) => to)).toEqual(emails);
    expect(connections).toBe(MAILS);
  });
});
