import { otherClients } from './pages/clients.js';
import { html } from './pages/html.js';
import { documentOf } from './pages/page.js';

const PRODUCT = 'Scrollback';

/**
 * What the page at `/` tells a person where no chat page was built: who has just joined or logged in is led there. All of it
 * may be known to strangers.
 */
export interface FrontPage {
  /** Name of the organization. */
  readonly name: string;
  /** Address of the server for clients. */
  readonly siteUrl: string;
  /** Why the server is not ready; undefined when it is. */
  readonly complaint: string | undefined;
  /** Name, without its folder, of the file with the owner's credentials. */
  readonly credentialsFile: string;
}

/** @param docsPath path of the page that documents the interface */
export function renderFrontPage({ name, siteUrl, complaint, credentialsFile }: FrontPage, docsPath: string): string {
  const state = complaint === undefined ? 'The server is ready.' : `The server is not ready: ${complaint}`;
  const body = html`<p>
      This is ${PRODUCT}, a team-chat server. It has no chat page in the browser. ${otherClients(siteUrl)} Log in there
      with your e-mail address and your password.
    </p>
    <p role="status">${state}</p>
    <h2>For those who run the server</h2>
    <ul>
      <li>
        The chat page was not built here: <code>npm run build</code> does it where the development packages are
        installed.
      </li>
      <li><a href="${docsPath}">Documentation of the interface</a> (OpenAPI)</li>
      <li>
        The owner’s e-mail address and API key are in the file <code>${credentialsFile}</code>, in the data directory on
        the server. Command-line clients take it as it is.
      </li>
    </ul>`;
  return documentOf(name === PRODUCT ? name : `${name} – ${PRODUCT}`, body, name);
}

/** Whether the Accept header names HTML, as browsers do; wildcards alone are what API clients send. */
export function acceptsHtml(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/html' && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}
