import { badRequest } from '#kernel';
import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Headers,
  Module,
  Post,
  Res,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { CountsCalls, Direct } from '../access.js';
import { WritesAnswer } from '../answers/answers.js';
import { sendFields } from '../answers/success.js';
import { Authenticator, type SessionOfCaller } from '../authentication.js';
import type { EdgeReply } from '../exchange.js';
import { createHttpApp, type HttpOptions } from '../http-app.js';
import { basic, exchange, KEY } from '../http.fixture.js';
import { Caller, ClientName, Params, SessionId } from '../params/decorators.js';
import { Param } from '../params/params.js';
import { integer, text } from '../params/wire-types.js';
import { DirectRequest } from './direct-exchange.js';
import { directRoutes } from './direct-routes.js';

/** Whether the last handled request was on the lane. */
const Lane = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<unknown>() instanceof DirectRequest,
);
const taken: unknown[] = [];

class SayParams {
  @Param(text())
  words!: string;

  @Param(integer(), { default: 1 })
  times!: number;
}

/** The same routes, on the lane or not. */
function moduleWith(lane: () => MethodDecorator) {
  @Controller('api/v1/say')
  class SayController {
    @Get()
    @lane()
    @CountsCalls()
    @WritesAnswer({ type: 'object' })
    ask(@Lane() isTaken: boolean, @SessionId() session: string | undefined, @Res() reply: EdgeReply): void {
      taken.push(isTaken);
      sendFields(reply, `"session":${JSON.stringify(session ?? null)}`);
    }

    @Post()
    @lane()
    say(
      @Lane() isTaken: boolean,
      @Caller() { userId }: Caller,
      @ClientName() client: string,
      @Headers('X-Tone') tone: string | undefined,
      @Params(SayParams) { words, times }: SayParams,
    ): object | Promise<object> {
      taken.push(isTaken);
      if (words === 'never') throw badRequest('Not that word.');
      if (words === 'later') return Promise.reject(badRequest('Not that word either.'));
      if (words === 'broken') throw new TypeError('broken');
      const said = { said: words.repeat(times), by: userId, client, tone: tone ?? null };
      return words === 'soon' ? Promise.resolve(said) : said;
    }
  }

  @Module({ controllers: [SayController], providers: [{ provide: Authenticator, useClass: SampleUsers }] })
  class SayModule {}
  return SayModule;
}

class SampleUsers extends Authenticator {
  override authenticate(loginName: string, apiKey: string): Caller {
    if (apiKey !== KEY) throw badRequest('Invalid API key');
    return { userId: loginName.length };
  }

  override authenticateSession(token: string): Promise<SessionOfCaller | undefined> {
    return Promise.resolve(token === 'good' ? { caller: { userId: 7 }, prolongedSeconds: 60 } : undefined);
  }
}

const options: HttpOptions = { trustProxy: true, siteUrl: () => 'http://chat.test', addresses: 'full' };
let lane: NestFastifyApplication;
let plain: NestFastifyApplication;

beforeAll(async () => {
  lane = await createHttpApp(moduleWith(Direct), options);
  plain = await createHttpApp(
    moduleWith(() => () => undefined),
    options,
  );
  for (const app of [lane, plain]) await app.listen(0, '127.0.0.1');
});
afterAll(async () => {
  for (const app of [lane, plain]) await app.close();
});

const portOf = (app: NestFastifyApplication): number => (app.getHttpServer().address() as AddressInfo).port;

/** The whole answer, without what differs by time and by server, and without the header that both write in different places. */
async function answerOf(app: NestFastifyApplication, request: string): Promise<string> {
  const whole = await exchange(portOf(app), request);
  return whole
    .replace(/^connection: close\r\n/im, '')
    .replace(/^(date|x-request-id|x-ratelimit-reset|retry-after): .*$/gim, '$1')
    .replace(/"retry-after":[\d.]+/, '');
}

const CREDENTIALS = `Authorization: ${basic()}`;
const FORM = 'Content-Type: application/x-www-form-urlencoded';
/** Of the session `good`. */
const TOKEN = createHmac('sha256', 'good').update('token of forms').digest('base64url');

function requestOf(line: string, headers: readonly string[], body?: string): string {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return [`${line} HTTP/1.1`, 'Host: chat.test', 'Connection: close', ...headers, ...length, '', body ?? ''].join(
    '\r\n',
  );
}
const get = (query: string, ...headers: string[]) => requestOf(`GET /api/v1/say${query}`, headers);
const post = (body: string, ...headers: string[]) => requestOf('POST /api/v1/say', [FORM, ...headers], body);

const onTheLane = {
  'a question': get('', CREDENTIALS, 'User-Agent: Bench/1 (x)'),
  'a question with a parameter that nobody knows': get('?other=1&client=me', CREDENTIALS),
  'a question of a session': get('', 'Cookie: sessionid=good'),
  'a form': post('words=h%C3%A9+llo&times=2', CREDENTIALS, 'X-Tone: loud', 'User-Agent: Bench/1'),
  'a form with its character set': requestOf('POST /api/v1/say', [`${FORM}; charset=utf-8`, CREDENTIALS], 'words=a'),
  'a form and a query': requestOf('POST /api/v1/say?words=b&times=3', [FORM, CREDENTIALS], 'words=a'),
  'an answer that comes later': post('words=soon', CREDENTIALS),
  'a refusal': post('words=never', CREDENTIALS),
  'a refusal that comes later': post('words=later', CREDENTIALS),
  'a fault': post('words=broken', CREDENTIALS),
  'a form of a session, with its token': post(
    `words=a&csrfmiddlewaretoken=${TOKEN}`,
    'Cookie: sessionid=good',
    'Origin: https://chat.test',
    'X-Forwarded-Proto: http, https',
  ),
};

const elsewhere = {
  'no credentials': get(''),
  'wrong credentials': get(
    '',
    `Authorization: Basic ${Buffer.from('a:b').toString('base64')}`,
    'X-Forwarded-For: 192.0.2.7',
  ),
  'another scheme': post('words=a', 'Authorization: Digest x'),
  'a session that has ended': get('', 'Cookie: sessionid=bad'),
  'a form of a session, without its token': post('words=a', 'Cookie: sessionid=good'),
  'a form of a session, from elsewhere': post(
    `words=a&csrfmiddlewaretoken=${TOKEN}`,
    'Cookie: sessionid=good',
    'Origin: https://other.test',
  ),
  'a missing parameter': post('times=2', CREDENTIALS),
  'a wrong parameter': post('words=a&times=x', CREDENTIALS),
  'too many parameters': post('a=1&'.repeat(1_200), CREDENTIALS),
  'bytes that are no text': post('words=%ff', CREDENTIALS),
  'a query that is no text': get('?a=%ff', CREDENTIALS),
  'a form that names another verb without a route': post('method=PATCH&words=a', CREDENTIALS),
  'no Host': `GET /api/v1/say HTTP/1.1\r\nConnection: close\r\n${CREDENTIALS}\r\n\r\n`,
  HEAD: requestOf('HEAD /api/v1/say', [CREDENTIALS]),
  DELETE: requestOf('DELETE /api/v1/say', [CREDENTIALS]),
};

/** Left to Fastify. */
const left = {
  JSON: requestOf('POST /api/v1/say', ['Content-Type: application/json', CREDENTIALS], '{"words":"a"}'),
  chunks: `${requestOf('POST /api/v1/say', [FORM, CREDENTIALS, 'Transfer-Encoding: chunked'])}7\r\nwords=a\r\n0\r\n\r\n`,
  'two slashes': requestOf('GET //api/v1//say', [CREDENTIALS]),
};

test.each(Object.entries(onTheLane))('%s is answered as by Fastify, on the lane', async (_, request) => {
  taken.length = 0;
  expect(await answerOf(lane, request)).toBe(await answerOf(plain, request));
  expect(taken).toEqual([true, false]);
});

test.each(Object.entries(elsewhere))('%s is answered as by Fastify, before any handler', async (_, request) => {
  taken.length = 0;
  expect(await answerOf(lane, request)).toBe(await answerOf(plain, request));
  expect(taken.filter((isTaken) => isTaken)).toEqual([]);
});

test.each(Object.entries(left))('%s is left to Fastify', async (_, request) => {
  taken.length = 0;
  expect(await answerOf(lane, request)).toBe(await answerOf(plain, request));
  expect(taken).toEqual([false, false]);
});

test('a form that names another verb is routed again', async () => {
  taken.length = 0;
  const request = post('method=GET', CREDENTIALS);
  expect(await answerOf(lane, request)).toBe(await answerOf(plain, request));
  expect(taken).toEqual([false, false]);
});

test('calls on the lane are limited as others are', async () => {
  const guess = get('', `Authorization: Basic ${Buffer.from('a:b').toString('base64')}`, 'X-Forwarded-For: 192.0.2.8');
  for (const app of [lane, plain]) for (let call = 0; call < 100; call++) await answerOf(app, guess);
  expect(await answerOf(lane, guess)).toMatch(/^HTTP\/1.1 429 /);
  // What is left of the minute is told with as many digits as it has.
  const limited = async (app: NestFastifyApplication) =>
    (await answerOf(app, guess)).replace(/^content-length: .*$/im, '');
  expect(await limited(lane)).toBe(await limited(plain));
});

test('a method with guards is no method for the lane', async () => {
  class GuardedController {
    ask(): void {
      taken.push('guarded');
    }
  }
  const descriptor = Object.getOwnPropertyDescriptor(GuardedController.prototype, 'ask') as PropertyDescriptor;
  for (const decorate of [Get(), Direct()]) decorate(GuardedController.prototype, 'ask', descriptor);
  Reflect.defineMetadata('__guards__', [], GuardedController.prototype.ask);
  Controller('guarded')(GuardedController);
  const controllers = new Map([['one', { instance: new GuardedController(), metatype: GuardedController }]]);
  const app = { get: () => new Map([['module', { controllers }]]) };
  expect(() => directRoutes(app as never)).toThrow('GuardedController.ask is @Direct, and has guards');
});
