import { answerTo, type ApiClient } from './client.js';
import { fetchPage, submit } from './forms.js';

/** The cookies of a browser that has signed in at the server. */
export async function cookiesOf(url: string, { email, fullName }: ApiClient): Promise<string> {
  const page = await fetchPage(`${url}/login/`);
  return (await submit(page, url, { username: email, password: `the password of ${fullName}` })).cookie;
}

/** The token that changes with these cookies need. */
export async function csrfTokenOf(url: string, cookie: string): Promise<string> {
  const { text } = await answerTo(`${url}/api/v1/session`, { headers: { cookie } });
  return (JSON.parse(text) as { readonly csrf_token: string }).csrf_token;
}
