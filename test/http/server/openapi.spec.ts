/** The OpenAPI document: it describes every operation, answer and client event, and names the level of the interface. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_LEVEL, INTERFACE_LEVELS, isAtLevel, type LevelledKind, type Levels, nameAtLevel } from '#organization';
import { fetch } from '#testing';
import { startTestServer, type TestServer } from '../../support/server.js';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Named[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: object }>;
}

interface Named {
  readonly name: string;
  readonly description?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly const?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const VERBS = ['get', 'put', 'post', 'delete', 'patch'];
const catalogue = JSON.parse(readFileSync(join(__dirname, '../../../docs/interface/catalogue.json'), 'utf8')) as {
  readonly events: readonly string[];
};

let server: TestServer;
let schemas: Readonly<Record<string, Schema>>;
let document: { readonly openapi: string; readonly info: Record<string, unknown> };
let operations: readonly (Operation & { readonly route: string })[];

beforeAll(async () => {
  server = await startTestServer();
  const fetched = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as typeof document & {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  document = fetched;
  schemas = fetched.components.schemas;
  operations = Object.entries(fetched.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, one]) =>
      VERBS.includes(verb) ? [{ ...one, route: `${verb} ${path}` }] : [],
    ),
  );
});
afterAll(() => server.stop());

const routesWhere = (isWrong: (operation: Operation) => boolean): string[] =>
  operations.filter(isWrong).map(({ route }) => route);

test('it is OpenAPI 3.1, and names the feature level', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info['x-feature-level']).toBe(FEATURE_LEVEL);
});

test('every operation says what it answers', () => {
  expect(operations.length).toBeGreaterThan(190);
  expect(routesWhere(({ responses }) => responses['200']?.content === undefined)).toEqual([]);
});

test('every operation has a name of its own, a summary and a description', () => {
  expect(routesWhere(({ summary = '', description = '' }) => summary === '' || description === '')).toEqual([]);
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
});

test('every parameter has a description', () => {
  const bare = operations.flatMap(({ route, parameters = [], requestBody }) => {
    const forms = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(schema.properties ?? {}).map(([name, { description }]) => ({ name, description })),
    );
    return [...parameters, ...forms].filter(({ description }) => !description).map(({ name }) => `${route} ${name}`);
  });
  expect(bare).toEqual([]);
});

test('the union of client events has those of the catalogue', () => {
  const named = (ref = ''): Schema => schemas[ref.split('/').at(-1) ?? ''] ?? {};
  const kinds = schemas['Event']?.anyOf?.map(({ $ref }) => {
    const one = named($ref);
    const properties = (one.anyOf?.[0] ?? one).properties ?? {};
    const [type, op] = [properties['type']?.const, properties['op']?.const];
    return op === undefined ? type : `${type}/${op}`;
  });
  expect(kinds?.toSorted()).toEqual([...catalogue.events].toSorted());
});

/** Schemas of what the table of levels names. */
const LEVELLED: Partial<Record<LevelledKind, string>> = {
  register: 'RegisterState',
  channel: 'Channel',
  userSettings: 'UserSettings',
  bot: 'Bot',
  attachment: 'Attachment',
};

test.each(Object.entries(LEVELLED))('fields of %s are those of the advertised level', (kind, name) => {
  const properties = Object.keys(schemas[name]?.properties ?? {});
  const levels = Object.entries(INTERFACE_LEVELS[kind as LevelledKind] as Readonly<Record<string, Levels>>);
  const wrong = levels.flatMap(([field, { before }]) => {
    const isThere = (one: string): boolean => properties.includes(one);
    if (before === undefined) return isAtLevel(kind as LevelledKind, field) && !isThere(field) ? [field] : [];
    const now = nameAtLevel(kind as LevelledKind, field);
    return isThere(now) && !isThere(now === field ? before : field) ? [] : [field];
  });
  expect(wrong).toEqual([]);
});
