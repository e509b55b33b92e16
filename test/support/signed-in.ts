import type { ApiClient } from './client.js';
import { fetchPage, submit } from './forms.js';

/** The cookies of a browser that has signed in at the server. */
export async function cookiesOf(url: string, { email, fullName }: ApiClient): Promise<string> {
  const page = await fetchPage(`${url}/login/`);
  return (await submit(page, url, { username: email, password: `the password of ${fullName}` })).cookie;
}
