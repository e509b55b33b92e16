import { actingBy, actingIn, badRequest, type Origin, Refusal } from '#kernel';
import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import { ApiParam } from '../openapi/swagger-decorators.js';
import type { FastifyRequest } from 'fastify';
import type { Caller as AuthenticatedCaller } from '../authentication.js';
import { exactInteger } from './wire-types.js';
import type { Cookies } from '../pages/cookies.js';
import { assertFromOwnPage, CSRF_FIELD } from '../pages/csrf.js';
import { HttpOrigin, operatorOrigin } from '../http-origin.js';
import { contextOf } from '../request-context.js';
import { declareParams } from '../openapi/openapi-params.js';
import type { ParamsClass } from './params.js';
import { REPEATED } from './raw-params.js';
import { fieldsOf, readParams } from './params.js';
import { SmallFileMemory, SmallFiles } from './small-files.js';

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

const ReadParams = createParamDecorator((type: ParamsClass, context: ExecutionContext): object => {
  const edge = contextOf(requestOf(context));
  try {
    const { params, ignored } = readParams(type, edge.given());
    edge.ignore(ignored);
    return params;
  } catch (error) {
    throw edge.count?.() ?? error;
  }
});

/**
 * The request's parameters as an instance of a class whose properties are declared by `@Param`. Names that the class
 * does not declare end up in the reply's `ignored_parameters_unsupported`.
 */
export function Params(type: ParamsClass): ParameterDecorator {
  // Errors in the class are found at the start, and no request pays for reading its decorators.
  fieldsOf(type);
  const read = ReadParams(type);
  return (target, key, index) => {
    read(target, key, index);
    if (key !== undefined) declareParams(target, key, type);
  };
}

/** A function that names a parameter in the reply's `ignored_parameters_unsupported`: it was read, and nothing acts on it. */
export const IgnoredParams = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const edge = contextOf(requestOf(context));
  return (name: string): void => {
    edge.alsoIgnore(name);
  };
});
export type IgnoredParams = (name: string) => void;

/** The boxes of a form that are checked, which have one name: their values, in the order of the page. */
export const CheckedBoxes = createParamDecorator((name: string, context: ExecutionContext): readonly string[] => {
  const given = contextOf(requestOf(context)).given();
  const { [name]: only } = given;
  return given[REPEATED]?.get(name) ?? (only === undefined ? [] : [only]);
});

interface PathIdAsked {
  readonly name: string;
  readonly missing: string | undefined;
}

const ReadPathId = createParamDecorator(({ name, missing }: PathIdAsked, context: ExecutionContext): number => {
  const raw = (requestOf(context).params as Record<string, string | undefined>)[name] ?? '';
  const id = exactInteger(raw);
  if (id !== undefined && id >= 1) return id;
  throw missing === undefined ? badRequest(`Invalid ${name}`) : new Refusal('NOT_FOUND', missing);
});

/**
 * An ID in the path: a positive integer below 2^53, else `BAD_REQUEST`.
 * @param missing text of the refusal by routes that answer HTTP 404 to an unknown ID: what can be no ID is unknown as well
 */
export function PathId(name: string, missing?: string): ParameterDecorator {
  const read = ReadPathId({ name, missing });
  return (target, key, index) => {
    read(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    ApiParam({ name, required: true, schema: { type: 'integer', minimum: 1 } })(target, key, descriptor);
  };
}

/** The authenticated sender of the request. */
export type Caller = AuthenticatedCaller;

/** The caller, from the `Authenticator`, as who acts in the request (`originFrom`). `undefined` under `@Public`, and under `@OptionalAuth` for anonymous calls. */
export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  const { caller, isOperator } = contextOf(request);
  if (caller === undefined) return undefined;
  return isOperator ? actingBy(caller, operatorOrigin(request)) : actingIn(caller, new HttpOrigin(request));
});

/** The caller of a request that records nothing: without the origin that events would have. */
export const AskingCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => contextOf(requestOf(context)).caller,
);

/** Where the request comes from, for routes on which somebody acts who is not signed in, or is found by other means than credentials. */
export const FromRequest = createParamDecorator((_: unknown, context: ExecutionContext): Origin => ({
  by: { kind: 'visitor' },
  request: new HttpOrigin(requestOf(context)),
}));

/**
 * For guards of routes that record something although their method is GET: refuses what another site makes a browser send.
 * @throws Refusal CSRF_FAILED
 */
export function assertIntended(context: ExecutionContext, siteUrl: string): void {
  const request = requestOf(context);
  const edge = contextOf(request);
  if (edge.sessionId === undefined || edge.cookies === undefined) return;
  assertFromOwnPage(request, edge.cookies, edge.given()[CSRF_FIELD], siteUrl);
}

/** Cookies of the browser, where credentials are read. */
export const BrowserCookies = createParamDecorator((_: unknown, context: ExecutionContext): Cookies => {
  const { cookies } = contextOf(requestOf(context));
  if (cookies === undefined) throw new Error('Below @Public, no cookies are read.');
  return cookies;
});

/** The client's name by the rules of the rules.md §1. */
export const ClientName = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  contextOf(requestOf(context)).clientName(),
);

/** Tells the session of a browser from the caller's others; undefined for other credentials. */
export const SessionId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string | undefined => contextOf(requestOf(context)).sessionId,
);

/** The files of the request, under `@TakesSmallFiles`. */
export const Files = createParamDecorator(
  (_: unknown, context: ExecutionContext): SmallFiles => contextOf(requestOf(context)).files ?? NO_FILES,
);

/** Only bodies in multipart form have files. */
const NO_FILES = new SmallFiles(0, new SmallFileMemory());
