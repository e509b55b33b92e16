import { fetch } from '#testing';
import type { ApiClient } from './client.js';

/** The cookies of a browser that has signed in at the server. */
export async function cookiesOf(url: string, { email, fullName }: ApiClient): Promise<string> {
  const page = await fetch(`${url}/login/`);
  const csrfmiddlewaretoken = /csrftoken=([^;]+)/.exec(page.headers.get('set-cookie') ?? '')?.[1] ?? '';
  const { headers } = await fetch(`${url}/login/`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: `csrftoken=${csrfmiddlewaretoken}` },
    body: new URLSearchParams({ username: email, password: `the password of ${fullName}`, csrfmiddlewaretoken }),
  });
  return pairsIn(headers);
}

/** Cookies that an answer sets, as a browser sends them back. */
export function pairsIn(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
