import { ServiceReports } from './service-reports.js';

function told(error: unknown): string[] {
  const causes: string[] = [];
  new ServiceReports(({ cause }) => causes.push(cause)).failed('a service', error);
  return causes;
}

test('a failure is told with the kinds and codes of its causes', () => {
  const refused = Object.assign(new Error('connect 10.0.0.7:443'), { code: 'ECONNREFUSED' });
  expect(told(new TypeError('fetch failed', { cause: refused }))).toEqual(['TypeError < Error ECONNREFUSED']);
  expect(told(Object.assign(new Error('no'), { status: 400, error: 'invalid_grant' }))).toEqual([
    'Error 400 invalid_grant',
  ]);
});

test('but without its texts, which may repeat what was sent', () => {
  const secret = Object.assign(new Error('token tk-1 is not known'), { code: 'token tk-1', error: { token: 'tk-1' } });
  expect(told(secret)).toEqual(['Error']);
  expect(told('tk-1')).toEqual(['string']);
});
