import { FetchTransport } from './transport.js';

/** A server whose sessions have the tokens t1, t2 …: signing in makes the next one. */
function sessionsOf() {
  const calls: string[] = [];
  let current = 1;
  const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status });
  const fetch = (url: string | URL | Request, { method, headers }: RequestInit = {}): Promise<Response> => {
    const path = (url as string).replace('/api/v1', '');
    const token = (headers as Record<string, string>)['x-csrftoken'];
    calls.push(`${method} ${path} ${token ?? '-'}`);
    if (method !== 'GET' && token !== `t${current}`)
      return Promise.resolve(answer(403, { result: 'error', msg: 'CSRF', code: 'CSRF_FAILED' }));
    if (path !== '/session') return Promise.resolve(answer(200, { result: 'success', msg: '' }));
    if (method === 'POST') current++;
    return Promise.resolve(answer(200, { result: 'success', msg: '', csrf_token: `t${current}` }));
  };
  return {
    calls,
    transport: new FetchTransport({ site: '', fetch }),
    signsIn: () => current++,
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
