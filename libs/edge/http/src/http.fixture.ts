import { EventStoreUnavailable } from '#event-store';
import { badRequest, Refusal } from '#kernel';
import { ArrayMaxSize, IsArray, IsIn, IsInt, Max, MaxCharacters, Min, MinCharacters } from '#validation';
import { Body, Controller, Delete, Get, Header, Ip, Module, Patch, Post, Redirect, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { fetch } from '#testing';
import { Type } from 'typebox';
import { sendFields, sendLateFields } from './answers/success.js';
import { CountsCalls, NotRateLimited, OptionalAuth, Public, Raw, TakesFile } from './access.js';
import { Authenticator } from './authentication.js';
import { Caller, ClientName, Params, PathId } from './params/decorators.js';
import type { HttpOptions } from './http-app.js';
import { createHttpApp } from './http-app.js';
import { incomingFile } from './params/incoming-file.js';
import { Param } from './params/params.js';
import { LoginAttempts } from './limits/rate-limits.js';
import { ShapeOrText } from './params/shapes.js';
import { Shutdown } from './shutdown.js';
import { boolean, integer, json, jsonOrText, nullable, text } from './params/wire-types.js';

export const FILE_LIMIT_MIB = 5;

/** What the route with late pieces has made, and whether it fails. */
export const LATE: { made: number; failsAt: number | undefined } = { made: 0, failsAt: undefined };

/** Every wire type, and every way to be absent. */
export class SampleParams {
  @Param(text())
  @MaxCharacters(20)
  @MinCharacters(1)
  name!: string;

  @Param(text(), { aliases: ['subject', 'title'], optional: true, description: 'What it is about' })
  topic?: string;

  @Param(integer(), { default: 7 })
  @Min(1)
  @Max(100)
  count!: number;

  @Param(boolean(), { default: true })
  flag!: boolean;

  @Param(text(), { optional: true })
  @IsIn(['direct', 'channel'])
  type?: 'direct' | 'channel';

  @Param(integer(), { optional: true })
  @IsIn([0, 1, 2])
  policy?: 0 | 1 | 2;

  @Param(json(), { default: [] })
  @IsArray()
  @ArrayMaxSize(3)
  @IsInt({ each: true })
  principals!: number[];

  @Param(jsonOrText(), { optional: true })
  @ShapeOrText(Type.Union([Type.Integer(), Type.Array(Type.Integer(), { maxItems: 5 })]))
  to?: string | number | number[];

  @Param(nullable(integer()), { optional: true })
  folder?: number | null;

  @Param(text(), { name: 'local_id', optional: true })
  localId?: string;
}

@Controller('api/v1')
class SampleController {
  constructor(
    private readonly attempts: LoginAttempts,
    private readonly shutdown: Shutdown,
  ) {}

  @Post('sample')
  sample(@Params(SampleParams) params: SampleParams): object {
    return { params, made: params.constructor.name };
  }

  @Get('sample')
  look(@Params(SampleParams) params: SampleParams): object {
    return { params };
  }

  @Patch('sample')
  change(@Params(SampleParams) params: SampleParams): object {
    return { verb: 'patch', params };
  }

  @Delete('sample')
  remove(@Params(SampleParams) params: SampleParams): object {
    return { verb: 'delete', params };
  }

  @Post('nothing')
  nothing(): void {
    // Returns nothing, which is a success.
  }

  @Get('items/:item_id')
  item(@PathId('item_id') itemId: number): object {
    return { itemId };
  }

  @Patch('items/:item_id')
  changeItem(@PathId('item_id') itemId: number): object {
    return { changed: itemId };
  }

  @Get('me')
  me(@Caller() caller: Caller, @ClientName() client: string): object {
    return { userId: caller.userId, client };
  }

  @Get('free')
  @CountsCalls()
  free(): object {
    return { free: true };
  }

  @Get('open')
  @Public()
  open(@ClientName() client: string): object {
    return { client };
  }

  @Get('maybe')
  @OptionalAuth()
  maybe(@Caller() caller: Caller | undefined): object {
    return { userId: caller?.userId ?? null };
  }

  @Get('file')
  @NotRateLimited()
  @Raw()
  @Header('content-type', 'application/vnd.sample+json')
  file(): object {
    return { raw: true };
  }

  @Get('moved')
  @Public()
  @Redirect('/api/v1/open', 302)
  moved(): void {
    // Only the decorator matters.
  }

  @Post('upload')
  @TakesFile()
  async upload(@Req() request: FastifyRequest): Promise<object> {
    const { filename, content, end } = await incomingFile(request, FILE_LIMIT_MIB);
    let bytes = 0;
    for await (const chunk of content) bytes += chunk.length;
    await end;
    return { filename, bytes };
  }

  @Post('login')
  @Public()
  login(
    @Body() { username, password }: { username: string; password: string },
    @Ip() address: string,
  ): Promise<object> {
    return this.attempts.run({ loginName: username, address }, () =>
      password === 'right'
        ? Promise.resolve({ api_key: 'k' })
        : Promise.reject(new Refusal('AUTHENTICATION_FAILED', 'Your username or password is incorrect')),
    );
  }

  @Get('fail/:how')
  @Public()
  failing(@Req() { params }: FastifyRequest): object {
    const { how } = params as { how: string };
    if (how === 'bug') throw new Error('secret detail');
    if (how === 'string') throw 'secret detail' as unknown as Error;
    if (how === 'store') throw new EventStoreUnavailable('secret detail');
    if (how === 'list') return ['a reply must be an object'];
    if (how === 'missing') throw new Refusal('NOT_FOUND', 'No such thing');
    if (how === 'busy') throw new Refusal('SERVER_NOT_READY', 'Later', { 'retry-after': 2.5 });
    throw badRequest('Bad', { extra: 1, code: 'overwritten?' });
  }

  /** Answers in pieces of these lengths, every other one as bytes. */
  @Get('pieces/:lengths')
  pieces(@Req() { params }: FastifyRequest, @Res() reply: FastifyReply): void {
    const lengths = (params as { lengths: string }).lengths.split(',').map(Number);
    const texts = lengths.map((length, index) => `"${index}":"${'é'.repeat(length / 2)}"`);
    const pieces = texts.map((text, index) => (index % 2 === 0 ? text : Buffer.from(text)));
    sendFields(
      reply,
      pieces.flatMap((piece, index) => (index === 0 ? [piece] : [',', piece])),
    );
  }

  /** Pieces of a thousand characters that are made when they are written; how many have been made so far. */
  @Get('late/:count')
  async late(@Req() { params }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    LATE.made = 0;
    const make = (index: number) => (): string => {
      if (index === LATE.failsAt) throw new Error('It fails.');
      LATE.made++;
      return `"${'é'.repeat(1_000)}"`;
    };
    const count = Number((params as { count: string }).count);
    const list = Array.from({ length: count }, (_, index) => [index === 0 ? '' : ',', make(index)]);
    await sendLateFields(reply, ['"late":[', ...list.flat(), ']', Buffer.from(',"end":true')]);
  }

  /** Answers when the server shuts down, like a long poll. */
  @Get('wait')
  async wait(): Promise<object> {
    if (!this.shutdown.begun) await once(this.shutdown.signal, 'abort');
    return { waited: true };
  }
}

/** Declarations of the class apply to its methods, unless they override them. */
@Controller('doors')
@Public()
@NotRateLimited()
class DoorController {
  @Get('open')
  open(): object {
    return { open: true };
  }

  @Get('optional')
  @OptionalAuth()
  optional(@Caller() caller: Caller | undefined): object {
    return { userId: caller?.userId ?? null };
  }
}

export const KEY = 'k'.repeat(32);
/** A caller who may do nothing but send. */
export const WRITE_ONLY_USER = 999;

class SampleAuthenticator extends Authenticator {
  override authenticate(loginName: string, apiKey: string): { userId: number } | Promise<{ userId: number }> {
    const found = /^user(\d+)@example\.com$/.exec(loginName)?.[1];
    if (found === undefined || apiKey !== KEY) throw new Refusal('INVALID_API_KEY', 'Invalid API key');
    const caller = { userId: Number(found) };
    // Both ways in which an adapter may answer.
    return caller.userId % 2 === 0 ? Promise.resolve(caller) : caller;
  }

  override isWriteOnly({ userId }: { userId: number }): boolean {
    return userId === WRITE_ONLY_USER;
  }
}

@Module({
  controllers: [SampleController, DoorController],
  providers: [{ provide: Authenticator, useClass: SampleAuthenticator }],
})
class SampleModule {}

export interface Sample {
  readonly app: NestFastifyApplication;
  readonly origin: string;
  readonly port: number;
}

export async function startSample(options: HttpOptions = { rateLimits: false }): Promise<Sample> {
  const app = await createHttpApp(SampleModule, options);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  return { app, origin: `http://127.0.0.1:${port}`, port };
}

export function basic(userId = 1): string {
  return `Basic ${Buffer.from(`user${userId}@example.com:${KEY}`).toString('base64')}`;
}

/** The parts of an answer that tests check. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

export async function call(
  { origin }: Sample,
  method: string,
  path: string,
  { form, authorization = basic(), headers = {}, body }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(authorization !== null && { authorization }), ...headers },
    ...(form !== undefined && { body: new URLSearchParams(form) }),
    ...(body !== undefined && { body }),
  });
  const answer = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: answer === '' ? {} : (JSON.parse(answer) as Record<string, unknown>),
  };
}

export interface CallOptions {
  readonly form?: Record<string, string> | string[][];
  readonly authorization?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: string | FormData | Blob;
}

/** Sends raw bytes and returns the whole response until the server closes. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return received;
}
