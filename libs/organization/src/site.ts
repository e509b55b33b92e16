/** Where the organization is reached from outside: scheme, host and port, without a slash at the end. */
export class Site {
  constructor(public url: string) {}
}
