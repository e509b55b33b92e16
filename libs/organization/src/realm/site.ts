/** External address of the organization: scheme, host and port, without a trailing slash. */
export class Site {
  constructor(public url: string) {}
}
