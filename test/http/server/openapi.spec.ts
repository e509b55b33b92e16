/** The OpenAPI document: it describes every operation, answer and client event, and names the level of the interface. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_LEVEL, INTERFACE_LEVELS, isAtLevel, type LevelledKind, type Levels, nameAtLevel } from '#realm/model';
import { fetch } from '#testing';
import { parse } from '../../support/reader/notation.js';
import { OBJECTS } from '../../support/reader/objects.schema.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { complaintsOf } from '../../support/wire/check.js';

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Named[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
  readonly responses: Record<string, { readonly content?: Readonly<Record<string, Answer>> }>;
}

interface Answer {
  readonly schema?: Schema;
  readonly example?: object;
}

interface Named {
  readonly name: string;
  readonly description?: string;
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly const?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const VERBS = ['get', 'put', 'post', 'delete', 'patch'];
const catalogue = JSON.parse(readFileSync(join(__dirname, '../../../docs/interface/catalogue.json'), 'utf8')) as {
  readonly events: readonly string[];
  readonly routes: readonly string[];
};
const nameless = (route: string): string => route.replaceAll(/\{[^}]*\}/g, '{}').toLowerCase();
const routesOfCatalogue = new Set(
  catalogue.routes.map((route) => {
    const [verb = '', path = ''] = route.split(' ');
    return nameless(`${verb} ${path.startsWith('SERVER/') ? path.slice('SERVER'.length) : `/api/v1${path}`}`);
  }),
);

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

const answerTo = ({ responses }: Operation): Answer => responses['200']?.content?.['application/json'] ?? {};

test('answers of the catalogue have an example', () => {
  const isNamed = (route: string): boolean => routesOfCatalogue.has(nameless(route));
  const bare = operations.filter((one) => answerTo(one).schema !== undefined && answerTo(one).example === undefined);
  expect(bare.map(({ route }) => route).filter(isNamed)).toEqual([]);
});

test('examples are as their schemas say', () => {
  const wrong = operations.flatMap((operation) => {
    const { schema, example } = answerTo(operation);
    if (schema === undefined || example === undefined) return [];
    const { allOf: [, own] = [schema] as const } = schema;
    const isEnvelope = schema.$ref?.endsWith('/Success') === true;
    if (schema.allOf === undefined && !isEnvelope) return complaintsOf(schema, example, operation.route, schemas);
    const { result: _, msg: __, ignored_parameters_unsupported: ___, ...fields } = example as Record<string, unknown>;
    return complaintsOf(isEnvelope ? { type: 'object' } : (own ?? schema), fields, operation.route, schemas);
  });
  expect(wrong).toEqual([]);
});

/** Objects of the second reader, which is written from the pages of the interface, by the components that describe the same. */
const READ_TWICE: Readonly<Record<string, string>> = {
  Attachment: 'Attachment',
  Bot: 'Bot',
  Channel: 'Channel',
  ChannelGroup: 'DefaultChannelGroup',
  Domain: 'Domain',
  Draft: 'Draft',
  Emoji: 'CustomEmoji',
  Export: 'Export',
  Field: 'ProfileField',
  Folder: 'ChannelFolder',
  Group: 'UserGroup',
  Linkifier: 'Linkifier',
  OldPresence: 'LegacyPresence',
  Playground: 'Playground',
  Presence: 'Presence',
  Reaction: 'Reaction',
  Reminder: 'Reminder',
  Snippet: 'SavedSnippet',
  Status: 'UserStatus',
  Submessage: 'Submessage',
  TopicLink: 'TopicLink',
  Unread: 'UnreadMessages',
  User: 'User',
  UserTopic: 'UserTopic',
  View: 'NavigationView',
};

test.each(Object.entries(READ_TWICE))('the second reader has the fields of %s', (object, component) => {
  const shape = parse(OBJECTS[object] ?? '');
  expect(shape.kind === 'object' && [...shape.fields.keys()].toSorted()).toEqual(
    Object.keys(schemas[component]?.properties ?? {}).toSorted(),
  );
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
