import { AddressRules } from './http-client/address-rules.js';

/** Which services outgoing webhook bots may call, and for how long. */
export class WebhookSettings {
  readonly rules: AddressRules;

  /** @throws Error for what is no network */
  constructor(
    hosts: readonly string[],
    networks: readonly string[],
    readonly timeoutSeconds: number,
  ) {
    this.rules = new AddressRules(hosts, networks);
  }
}
