import { SessionTransport } from './session-transport.js';

/** A server whose sessions have the tokens t1, t2 …: signing in makes the next one. Those before somebody is named are of nobody. */
function sessionsOf() {
  const calls: string[] = [];
  let current = 1;
  let userId: number | null = null;
  const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });
  const fetch = (url: string | URL | Request, { method, headers }: RequestInit = {}): Promise<Response> => {
    const path = (url as string).replace('/api/v1', '');
    const token = (headers as Record<string, string>)['x-csrftoken'];
    calls.push(`${method} ${path} ${token ?? '-'}`);
    if (method !== 'GET' && token !== `t${current}`)
      return Promise.resolve(answer(403, { result: 'error', msg: 'CSRF', code: 'CSRF_FAILED' }));
    if (path !== '/session') return Promise.resolve(answer(200, { result: 'success', msg: '' }));
    if (method === 'POST') current++;
    return Promise.resolve(answer(200, { result: 'success', msg: '', user_id: userId, csrf_token: `t${current}` }));
  };
  return {
    calls,
    transport: new SessionTransport({ site: '', fetch }),
    signsIn: (as: number | null = null) => {
      current++;
      userId = as;
    },
  };
}

test('the token of the session that was just begun is used at once', async () => {
  const { calls, transport } = sessionsOf();
  expect(await transport.send({ method: 'POST', path: '/session' })).toMatchObject({ kind: 'ok' });
  expect(await transport.send({ method: 'POST', path: '/register' })).toMatchObject({ kind: 'ok' });
  expect(calls).toEqual(['GET /session -', 'POST /session t1', 'POST /register t2']);
});

test('a token that another tab has made old is asked for anew, once', async () => {
  const { calls, transport, signsIn } = sessionsOf();
  await transport.send({ method: 'POST', path: '/register' });
  signsIn();
  calls.length = 0;
  expect(await transport.send({ method: 'POST', path: '/register' })).toMatchObject({ kind: 'ok' });
  expect(calls).toEqual(['POST /register t1', 'GET /session -', 'POST /register t2']);
});

test('what changes something is not done in the session of another account, and goes on in one of its own', async () => {
  const { calls, transport, signsIn } = sessionsOf();
  signsIn(7);
  await transport.send({ method: 'POST', path: '/register' });
  signsIn(8);
  calls.length = 0;
  const refused = { kind: 'refused', status: 401 };
  expect(await transport.send({ method: 'POST', path: '/messages' })).toMatchObject(refused);
  expect(calls).toEqual(['POST /messages t2', 'GET /session -']);
  // Also when it was asked for otherwise whose session it is.
  expect(await transport.send({ method: 'GET', path: '/session' })).toMatchObject({ body: { user_id: 8 } });
  expect(await transport.send({ method: 'PATCH', path: '/settings' })).toMatchObject(refused);
  expect(await transport.send({ method: 'DELETE', path: '/session' })).toMatchObject(refused);
  expect(calls.filter((one) => one.endsWith('t3'))).toEqual([]);
  signsIn(7);
  calls.length = 0;
  expect(await transport.send({ method: 'POST', path: '/messages' })).toMatchObject({ kind: 'ok' });
  expect(calls).toEqual(['GET /session -', 'POST /messages t4']);
});

test('an account that is set is not learned, and signing in with the token of another one does not change it', async () => {
  const { transport, signsIn } = sessionsOf();
  transport.account = 7;
  signsIn(8);
  const change = { method: 'POST', path: '/messages' } as const;
  expect(await transport.send(change)).toMatchObject({ status: 401 });
  const headers = { 'x-csrftoken': 't2' };
  expect(await transport.send({ method: 'POST', path: '/session', headers })).toMatchObject({ kind: 'ok' });
  expect(await transport.send(change)).toMatchObject({ status: 401 });
});
