import { type INestApplicationContext, type ExecutionContext, RequestMethod, type Type } from '@nestjs/common';
import { GUARDS_METADATA, INTERCEPTORS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { CUSTOM_ROUTE_ARGS_METADATA, PIPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { declaredPolicy, type RoutePolicy } from '../access.js';
import type { DirectReply, DirectRequest } from './direct-exchange.js';

/** A method of a controller that the direct lane calls. */
export interface DirectRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly policy: RoutePolicy;
  /** @returns what the method returns; undefined where it writes its answer itself */
  handle(request: DirectRequest, reply: DirectReply): unknown;
}

/** Value of one parameter of a method. */
type Argument = (context: DirectContext) => unknown;

/** What decorators of parameters ask for (`createParamDecorator`). */
class DirectContext {
  constructor(
    private readonly request: DirectRequest,
    private readonly reply: DirectReply,
  ) {}

  switchToHttp(): this {
    return this;
  }

  getRequest(): DirectRequest {
    return this.request;
  }

  getResponse(): DirectReply {
    return this.reply;
  }
}

/** Finds the methods below `@Direct`. @throws Error when one needs what the lane does not have */
export function directRoutes(app: INestApplicationContext): readonly DirectRoute[] {
  const routes: DirectRoute[] = [];
  for (const { controllers } of app.get(ModulesContainer).values())
    for (const { instance, metatype } of controllers.values())
      if (metatype !== null) routes.push(...routesOf(instance as Controller, metatype as Type));
  return routes;
}

type Controller = Record<string, (...given: unknown[]) => unknown>;

function routesOf(controller: Controller, type: Type): DirectRoute[] {
  const prototype = type.prototype as Controller;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as Controller[string] | undefined;
    if (typeof method !== 'function') return [];
    const policy = declaredPolicy(method);
    return policy.isDirect ? [routeOf(controller, type, name, policy)] : [];
  });
}

function routeOf(controller: Controller, type: Type, name: string, policy: RoutePolicy): DirectRoute {
  const own = controller[name] as Controller[string];
  for (const extra of [GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA])
    if (Reflect.hasMetadata(extra, own) || Reflect.hasMetadata(extra, type))
      throw new Error(
        `${type.name}.${name} is @Direct, and has guards, interceptors or pipes, which Nest alone calls.`,
      );
  if (policy.hiddenBy !== undefined)
    throw new Error(`${type.name}.${name} is @Direct and hidden, which Fastify's hooks know.`);
  const verb = RequestMethod[Reflect.getMetadata(METHOD_METADATA, own) as RequestMethod];
  if (verb !== 'GET' && verb !== 'POST') throw new Error(`${type.name}.${name} is @Direct, and neither GET nor POST.`);
  const paths = [Reflect.getMetadata(PATH_METADATA, type), Reflect.getMetadata(PATH_METADATA, own)] as string[];
  const path = `/${paths.join('/')}`.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  const given = argumentsOf(type, name);
  return {
    method: verb,
    path,
    policy,
    handle: (request, reply) => {
      const context = new DirectContext(request, reply);
      return own.apply(
        controller,
        given.map((argument) => argument(context)),
      );
    },
  };
}

interface Declared {
  readonly index: number;
  readonly data: unknown;
  readonly factory?: (data: unknown, context: ExecutionContext) => unknown;
}

const RESPONSE: number = RouteParamtypes.RESPONSE;
const HEADERS: number = RouteParamtypes.HEADERS;

function argumentsOf(type: Type, name: string): readonly Argument[] {
  const declared = Reflect.getMetadata(ROUTE_ARGS_METADATA, type, name) as Readonly<Record<string, Declared>>;
  const given: Argument[] = [];
  for (const [key, { index, data, factory }] of Object.entries(declared)) {
    const kind = Number(key.slice(0, key.indexOf(':')));
    if (key.includes(CUSTOM_ROUTE_ARGS_METADATA) && factory !== undefined)
      given[index] = (context) => factory(data, context as unknown as ExecutionContext);
    else if (kind === RESPONSE) given[index] = (context) => context.getResponse();
    else if (kind === HEADERS && typeof data === 'string') given[index] = headerOf(data);
    else throw new Error(`${type.name}.${name} is @Direct, and its parameter ${index} is none that the lane knows.`);
  }
  return given;
}

function headerOf(name: string): Argument {
  const key = name.toLowerCase();
  return (context) => context.getRequest().headers[key];
}
