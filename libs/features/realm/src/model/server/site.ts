import { isIP } from 'node:net';
import { Refusal } from '#kernel';

/** External address of the organization: scheme, host and port, without a trailing slash. */
export class Site {
  constructor(public url: string) {}

  /**
   * The host that a client has called must not be a name below this organization's, which is how other organizations of a server are
   * named. Other names may come from a proxy.
   * @param host header of the request
   * @throws Refusal NONEXISTENT_SUBDOMAIN
   */
  assertServes(host: string | undefined): void {
    const called = (host ?? '').replace(/:\d*$/, '').toLowerCase();
    const { hostname } = new URL(this.url);
    const own = isIP(hostname) !== 0 ? ['localhost', hostname] : [hostname];
    if (!own.some((name) => called !== name && called.endsWith(`.${name}`))) return;
    throw new Refusal('NONEXISTENT_SUBDOMAIN', 'Invalid subdomain');
  }
}
