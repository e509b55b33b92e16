/** Clients that people can use, as a part of a sentence. The server has no web app, which the desktop app would show. */
const CLIENTS = 'the Zulip app for Android or iOS, or zulip-terminal on a computer';

/** How a person gets to the server, in plain text. */
export function clientAdvice(siteUrl: string): string {
  return `Open ${CLIENTS}, enter the address of the server, ${siteUrl}, and log in.`;
}
