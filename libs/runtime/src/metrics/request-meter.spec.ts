import { RequestMeter } from './request-meter.js';

const SEND = { method: 'POST', route: '/api/v1/messages' };

test('requests are counted by route and class of status', () => {
  const meter = new RequestMeter();
  for (const status of [200, 200, 429, 400, 503, null]) meter.add({ ...SEND, status, ms: 3 });
  meter.add({ method: 'PROPFIND', route: null, status: 404, ms: 1 });
  expect(meter.sends).toBe(2);
  expect(meter.rateLimited).toBe(1);
  const counted = Array.from(meter.routes(), ({ method, route, status, durations }) => [
    `${method} ${route}`,
    status,
    durations.counts[0],
  ]);
  expect(counted).toEqual([
    ['POST /api/v1/messages', '2xx', 2],
    ['POST /api/v1/messages', '4xx', 2],
    ['POST /api/v1/messages', '5xx', 1],
    ['POST /api/v1/messages', 'aborted', 1],
    [' none', '4xx', 1],
  ]);
});

test('however many routes there are, the series are bounded, and none is lost', () => {
  const meter = new RequestMeter();
  for (let n = 0; n < 1_000; n++)
    for (const status of [200, 400]) meter.add({ method: 'GET', route: `/${n}`, status, ms: 1 });
  const routes = [...meter.routes()];
  expect(routes.length).toBeLessThan(260);
  const others = routes
    .filter(({ route }) => route === 'other')
    .map(({ status, durations }) => [status, durations.counts[0]]);
  expect(others).toEqual([
    ['2xx', 875],
    ['4xx', 875],
  ]);
});
