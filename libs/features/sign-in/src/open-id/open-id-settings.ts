/** An identity provider, and what it knows this server by. */
export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What people know the provider by. */
  readonly name: string;
}
