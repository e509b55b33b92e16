import { html } from './html.js';

/** Clients of others that people can use, as a part of a sentence. The desktop app would show a web app of its own. */
const CLIENTS = 'the Zulip app for Android or iOS, or zulip-terminal on a computer';

/** Leads from a page of the server into the chat. */
export const CHAT_LINK = html`<a href="/">Open the chat</a>`;

/** How a person gets to the server, in plain text. */
export function clientAdvice(siteUrl: string): string {
  return `Open ${siteUrl} in a browser and sign in; ${CLIENTS}, takes the same address.`;
}

/** What stands below `CHAT_LINK`, which leads to the address itself, and where there is no chat page to lead to. */
export function otherClients(siteUrl: string): string {
  return `In ${CLIENTS}, the address of the server is ${siteUrl}.`;
}
