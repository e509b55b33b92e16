import { fetch } from '#testing';

/** A browser that keeps cookies by host, and follows what it is told to. */
export class CookieBrowser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** @param server address of the server under test */
  constructor(private readonly server: () => string) {}

  async send(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url);
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as Record<string, string> | undefined), cookie },
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const [name = '', ...value] = pair.split('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value.join('='));
    }
    return response;
  }

  /** Follows redirects until something else comes. */
  async open(url: string): Promise<{ url: string; response: Response }> {
    for (let at = url, hops = 0; ; hops++) {
      const response = await this.send(at);
      const location = response.headers.get('location');
      if (location === null) return { url: at, response };
      if (hops === 12) throw new Error(`Too many redirects, to ${location}.`);
      at = new URL(location, at).href;
      if (!at.startsWith('http')) return { url: at, response };
    }
  }

  cookie(name: string): string | undefined {
    return this.#jars.get(new URL(this.server()).host)?.get(name);
  }

  /** In place of all cookies. */
  steal(name: string, value: string, others: Readonly<Record<string, string>> = {}): void {
    this.#jars.set(new URL(this.server()).host, new Map(Object.entries({ ...others, [name]: value })));
  }

  async form(path: string, values: Record<string, string>, page = '/login/'): Promise<Response> {
    const html = await (await this.send(`${this.server()}${page}`)).text();
    const token = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const body = new URLSearchParams({ ...values, csrfmiddlewaretoken: token });
    return this.send(`${this.server()}${path}`, { method: 'POST', body });
  }
}
