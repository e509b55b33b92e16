import type { JsonObject } from '#kernel';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DEFAULT_POLICY, policyConfig, POLICY_EXTENSION, type RoutePolicy } from '../access.js';
import { DOCS_PATH } from '../hooks.js';
import { type Components, JSON_MEDIA, jsonSchemaOf, responsesOf } from './openapi-answers.js';
import { schemaOfConstraints } from './openapi-constraints.js';
import { createDocsPages } from './openapi-pages.js';
import { declaredParams } from './openapi-params.js';
import { loadSwagger } from './swagger-decorators.js';
import type { Field } from '../params/params.js';
import { fieldsOf } from '../params/params.js';
import { JSON_TYPE } from '../answers/success.js';

const OPENAPI_PATH = '/api/v1/openapi.json';

export interface OpenApiSettings {
  readonly title: string;
  readonly version: string;
  /** Fields beside `title` and `version` in `info`. */
  readonly info?: JsonObject;
  /** Descriptions of parameters that have none of their own, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Examples of answers, by operation ID. */
  readonly examples?: () => Promise<Readonly<Record<string, object>>>;
  /** Components that answers refer to by name (`component`). */
  readonly components?: () => Readonly<Record<string, TSchema>>;
}

interface Operation {
  parameters?: JsonObject[];
  requestBody?: JsonObject;
  responses?: Record<string, JsonObject>;
  description?: string;
  operationId?: string;
  security?: JsonObject[];
  [extension: string]: unknown;
}

/** Headers of an answer that its content needs. */
const PAGE_HEADERS = ['content-type', 'etag', 'last-modified', 'cache-control'] as const;

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Serves the OpenAPI document and pages for it. Both are generated from the DTOs on the first request. */
export function serveOpenApi(app: NestFastifyApplication, settings: OpenApiSettings): void {
  let document: Promise<OpenAPIObject> | undefined;
  let text: string | undefined;
  let pages: Promise<FastifyInstance> | undefined;
  const documentOf = (): Promise<OpenAPIObject> => (document ??= createOpenApi(app, settings));
  const pagesOf = async (): Promise<FastifyInstance> => {
    const [{ SwaggerModule }, described] = [await loadSwagger(), await documentOf()];
    return createDocsPages(SwaggerModule, DOCS_PATH, settings.title, described);
  };
  const fastify = app.getHttpAdapter().getInstance();
  const config = policyConfig({ access: 'public', enveloped: false });
  fastify.get(OPENAPI_PATH, { config }, async (_request, reply) => {
    text ??= JSON.stringify(await documentOf());
    return reply.header('content-type', JSON_TYPE).send(text);
  });
  const servePage = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { url, headers } = request;
    // The answer to HEAD says how large that to GET is.
    const answer = await (await (pages ??= pagesOf())).inject({ method: 'GET', url, headers });
    if (answer.statusCode >= 400) {
      reply.callNotFound();
      return reply;
    }
    for (const name of PAGE_HEADERS) reply.header(name, answer.headers[name] ?? reply.getHeader(name));
    return reply.code(answer.statusCode).send(answer.rawPayload);
  };
  for (const path of [DOCS_PATH, `${DOCS_PATH}/*`]) fastify.get(path, { config }, servePage);
}

/** The OpenAPI 3.1 document of the application. */
async function createOpenApi(
  app: NestFastifyApplication,
  { title, version, info = {}, parameters = {}, examples, components: named = () => ({}) }: OpenApiSettings,
): Promise<OpenAPIObject> {
  const { DocumentBuilder, SwaggerModule } = await loadSwagger();
  const base = new DocumentBuilder()
    .setTitle(title)
    .setVersion(version)
    .setOpenAPIVersion('3.1.0')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'E-mail address and API key' }, 'basic')
    .addSecurityRequirements('basic')
    .addServer('/', 'This server')
    .build();
  const document = SwaggerModule.createDocument(app, base, { autoTagControllers: true });
  Object.assign(document.info, info);
  const components: Components = {};
  for (const schema of Object.values(named())) jsonSchemaOf(schema, components);
  const answered = (await examples?.()) ?? {};
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const verb of VERBS) {
      const operation = operations[verb] as unknown as Operation | undefined;
      if (operation === undefined) continue;
      describe(operation, verb, path, components);
      describeParameters(operation, parameters);
      addExample(operation, answered);
    }
  }
  const schemas = Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  document.components = { ...document.components, schemas: { ...document.components?.schemas, ...schemas } };
  return document;
}

function describe(operation: Operation, verb: (typeof VERBS)[number], path: string, components: Components): void {
  const { access, answer, enveloped } = policyIn(operation);
  describeAccess(operation, access);
  const inPath = pathParameters(operation, path);
  if (inPath.length > 0) operation.parameters = [...inPath, ...(operation.parameters ?? [])];
  const fields: Field[] = [];
  for (const key of Object.keys(operation)) {
    const type = declaredParams(key);
    if (type === undefined) continue;
    fields.push(...fieldsOf(type));
    Reflect.deleteProperty(operation, key);
  }
  if (fields.length > 0) {
    if (verb === 'get') operation.parameters = [...(operation.parameters ?? []), ...fields.map(queryParameter)];
    else operation.requestBody ??= formOf(fields);
  }
  operation.operationId = operationIdOf(verb, path);
  operation.responses = responsesOf(answer, enveloped, components);
}

/** A name for clients: `PATCH /api/v1/messages/{message_id}` is `patchMessagesByMessageId`, `GET /health/live` `getServerHealthLive`. */
function operationIdOf(verb: string, path: string): string {
  const words = path
    .replace(/^\/api\/v1\/|^\//, (root) => (root === '/' ? 'server/' : ''))
    .replaceAll(/\{([^}]+)\}/g, 'by_$1')
    .split(/[^A-Za-z0-9]+/);
  return verb + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Adds what parameters without a description mean everywhere. */
function describeParameters(
  { parameters = [], requestBody }: Operation,
  known: Readonly<Record<string, string>>,
): void {
  for (const parameter of parameters) Object.assign(parameter, wordsFor(parameter.name as string, parameter, known));
  const contents = Object.values(
    (requestBody?.content ?? {}) as Record<string, { schema?: { properties?: Properties } }>,
  );
  for (const { schema } of contents)
    for (const [name, one] of Object.entries(schema?.properties ?? {})) Object.assign(one, wordsFor(name, one, known));
}

function addExample({ operationId = '', responses }: Operation, examples: Readonly<Record<string, object>>): void {
  const content = responses?.['200']?.content as Readonly<Record<string, JsonObject>> | undefined;
  const example = examples[operationId];
  if (example !== undefined && content?.[JSON_MEDIA] !== undefined) Object.assign(content[JSON_MEDIA], { example });
}

type Properties = Readonly<Record<string, { description?: unknown }>>;

function wordsFor(
  name: string,
  { description }: { description?: unknown },
  known: Readonly<Record<string, string>>,
): { description?: string } {
  const words = known[name];
  return description !== undefined || words === undefined ? {} : { description: words };
}

/** The route's policy, taken out of the operation. */
function policyIn(operation: Operation): RoutePolicy {
  const policy = operation[POLICY_EXTENSION] as RoutePolicy | undefined;
  Reflect.deleteProperty(operation, POLICY_EXTENSION);
  return policy ?? DEFAULT_POLICY;
}

/** Credentials are needed unless an operation says something else. */
function describeAccess(operation: Operation, access: RoutePolicy['access']): void {
  if (access === 'public') operation.security = [];
  else if (access === 'optional') operation.security = [{ basic: [] }, {}];
}

/** Segments of the path that no decorator describes, such as the rest of the path of a file. */
function pathParameters({ parameters = [] }: Operation, path: string): JsonObject[] {
  const known = new Set(parameters.flatMap((one) => (one.in === 'path' ? [one.name] : [])));
  return Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name)
    .filter((name) => !known.has(name))
    .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameter(field: Field): JsonObject {
  const schema = schemaOf(field);
  return {
    name: field.name,
    in: 'query',
    required: field.required,
    ...descriptionOf(field),
    // A value that is not plain is JSON text, for which OpenAPI has a media type instead of a schema.
    ...(isPlain(schema) ? { schema } : { content: { 'application/json': { schema } } }),
  };
}

function formOf(fields: readonly Field[]): JsonObject {
  const properties = Object.fromEntries(
    fields.map((field) => [field.name, { ...schemaOf(field), ...descriptionOf(field) }]),
  );
  const encoding = Object.fromEntries(
    fields.filter((field) => !isPlain(schemaOf(field))).map(({ name }) => [name, { contentType: 'application/json' }]),
  );
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) };
  return {
    required: required.length > 0,
    content: { 'application/x-www-form-urlencoded': { schema, encoding }, 'multipart/form-data': { schema, encoding } },
  };
}

/** Says also by which other names the parameter goes. */
function descriptionOf({ name, names, description }: Field): JsonObject {
  const others = names.filter((one) => one !== name).map((one) => `\`${one}\``);
  if (others.length === 0) return description === undefined ? {} : { description };
  const own = description === undefined ? '' : `${description.replace(/\.$/, '')}. `;
  return { description: `${own}Also as ${others.join(', ')}.` };
}

/** Also turns typebox's schema into plain JSON, without its symbols. */
function schemaOf({ type, constraints, defaultText }: Field): JsonObject {
  const described = type.describe(schemaOfConstraints(constraints));
  const schema = JSON.parse(JSON.stringify(described), (_key, value) => tupleOf(value)) as JsonObject;
  return defaultText === undefined ? schema : { ...schema, default: JSON.parse(defaultText) as JsonObject };
}

/** JSON Schema names the items of a tuple `prefixItems` since OpenAPI 3.1; typebox writes the older form. */
function tupleOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('items' in value) || !Array.isArray(value.items)) return value;
  const { items, additionalItems, ...rest } = value as { items: unknown[]; additionalItems?: unknown };
  return { ...rest, prefixItems: items, items: additionalItems ?? true };
}

function isPlain({ type }: JsonObject): boolean {
  return type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}
