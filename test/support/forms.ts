import { fetch } from '#testing';

/** A page as a browser without scripts has it. */
export interface FetchedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Values of the fields of its form, by their names. */
  readonly values: Readonly<Record<string, string>>;
  /** Where its form is sent; empty without a form. */
  readonly action: string;
  /** What the browser sends back of its cookies. */
  readonly cookie: string;
}

export async function fetchPage(url: string, init: RequestInit = {}): Promise<FetchedPage> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const values: Record<string, string> = {};
  for (const [field, name = '', value = ''] of text.matchAll(/<input[^>]* name="([^"]*)"[^>]* value="([^"]*)"/g))
    // Boxes are not checked.
    if (!field.includes('type="checkbox"')) values[name] = value;
  const action = /<form method="post" action="([^"]*)"/.exec(text)?.[1] ?? '';
  const { status, headers } = response;
  return { status, headers, text, values, action, cookie: pairsIn(headers) };
}

/** Cookies that an answer sets, as a browser sends them back. */
export function pairsIn(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Sends the form of a page, with these fields filled in and the cookies of the page. */
export async function submit(
  page: FetchedPage,
  url: string,
  filled: Readonly<Record<string, string | readonly string[]>>,
  headers: Record<string, string> = {},
): Promise<FetchedPage> {
  const body = new URLSearchParams(
    Object.entries({ ...page.values, ...filled }).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
  );
  const { cookie } = page;
  const next = await fetchPage(new URL(page.action, url).href, {
    method: 'POST',
    body,
    headers: { cookie, ...headers },
  });
  return { ...next, cookie: next.cookie === '' ? cookie : next.cookie };
}
