/** The catalogue of the interface: each of its routes is served and documented, or stands in the list of what is not built. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetch } from '#testing';
import { letAudit } from '../../support/audit.js';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

const VERBS = new Set(['get', 'put', 'post', 'delete', 'patch']);

/** Worst inputs by route, of `npm run bench -- stalls`. */
interface WorstRequests {
  readonly WORST_REQUESTS: Record<string, unknown>;
  readonly NOT_WALKED: readonly RegExp[];
}

interface Catalogue {
  readonly routes: readonly string[];
}

const read = (name: string): Catalogue =>
  JSON.parse(readFileSync(join(__dirname, '../../../docs/interface', name), 'utf8')) as Catalogue;
const catalogue = read('catalogue.json');
const notBuilt = new Set(read('not-built.json').routes);

let server: TestServer;
let auditor: ApiClient;
/** Routes of the OpenAPI document, with and without the names of their parameters. */
let operations: string[];
let documented: Set<string>;

beforeAll(async () => {
  server = await startTestServer();
  auditor = await server.user();
  await letAudit(server.owner, auditor);
  const document = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.keys(verbs)
      .filter((verb) => VERBS.has(verb))
      .map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  documented = new Set(operations.map(nameless));
});
afterAll(() => server.stop());

/** A path without the names of its parameters: the catalogue says `{email}` where the server says `{id}`. */
const nameless = (path: string): string => path.replaceAll(/\{[^}]*\}|:[^/]+/g, '{}');

/** `SERVER/` begins a path outside of `/api/v1`. */
const pathOf = (path: string): string => (path.startsWith('SERVER/') ? path.slice('SERVER'.length) : `/api/v1${path}`);

async function isServed(route: string): Promise<boolean> {
  const [verb = '', path = ''] = route.split(' ');
  if (path.startsWith('/audit/')) return isServedToAuditors(verb, path);
  const address = `${server.url}${pathOf(path).replaceAll(/\{[^}]*\}/g, '1')}`;
  const { headers } = await fetch(address, { method: 'OPTIONS' });
  return (headers.get('allow') ?? '').split(', ').includes(verb);
}

/** Everybody else is told that there are no such paths, and that none has another verb. */
async function isServedToAuditors(verb: string, path: string): Promise<boolean> {
  const { body } = await auditor.call(verb, path.replaceAll(/\{[^}]*\}/g, '1'));
  return body.msg !== 'Not found';
}

test('the lists name each route once', () => {
  expect(new Set(catalogue.routes).size).toBe(catalogue.routes.length);
  expect([...notBuilt].filter((route) => !catalogue.routes.includes(route))).toEqual([]);
});

test.each(catalogue.routes.map((route) => [route]))('%s', async (route) => {
  const [verb = '', path = ''] = route.split(' ');
  const found = { served: await isServed(route), documented: documented.has(`${verb} ${nameless(pathOf(path))}`) };
  const isBuilt = !notBuilt.has(route);
  expect(found).toEqual({ served: isBuilt, documented: isBuilt });
});

test('the bench has a worst input for each route of a member', async () => {
  const path = join(__dirname, '../../../bench/support/worst-requests.mjs');
  const { WORST_REQUESTS, NOT_WALKED } = (await import(path)) as WorstRequests;
  const walked = operations.filter((route) => !NOT_WALKED.some((pattern) => pattern.test(route)));
  expect(Object.keys(WORST_REQUESTS).toSorted()).toEqual(walked.toSorted());
});
