/** A feature is one value: its manifest alone brings events, a projection, client events, register fields and a route. */
import { Controller, Get, Injectable, Post } from '@nestjs/common';
import { Command, CommandBus, Query, QueryBus } from '@nestjs/cqrs';
import { Type } from 'typebox';
import { eventType, type EventOf, streams } from '#event-store';
import {
  command,
  defineFeature,
  inStream,
  type JsonFields,
  query,
  type RegisterContext,
  RegisterFields,
  wants,
} from '#feature';
import { type ClientEvent, ClientEvents, type Derivations, type Presentable } from '#feed';
import { Param, Params, text } from '#http';
import type { Decider } from '#kernel';
import { type Collection, type CollectionSchema, projection, ReadStore } from '#read-store';
import { compose, FEATURES } from '#runtime';
import { MinCharacters } from '#validation';
import { startTestServer, type TestServer } from '../../support/server.js';

interface Notice {
  text: string;
}

const NOTICE = 'the one';
const noticesCollection = { name: 'notices', key: 'text', fields: {}, indexes: [] } as const satisfies CollectionSchema;

const noticePosted = eventType('notice.posted.v1', Type.Object({ text: Type.String() }));
type NoticePosted = EventOf<typeof noticePosted>;

const STREAM = `${streams.prefix}notices`;
const noticeDecider: Decider<number, { readonly text: string }, NoticePosted> = {
  initial: () => 0,
  decide: (_, { text: said }) => [{ type: 'notice.posted.v1', data: { text: said } }],
  evolve: (count) => count + 1,
};

const noticesProjection = projection<Notice, NoticePosted>(noticesCollection, {
  'notice.posted.v1': { keys: () => [NOTICE], evolve: (_doc, { data }) => ({ text: data.text }) },
});

@Injectable()
class NoticeReader {
  constructor(private readonly store: ReadStore) {}

  async text(): Promise<string> {
    const notices: Collection<Notice> = await this.store.collection<Notice>(noticesCollection);
    return (await notices.get(NOTICE))?.text ?? '';
  }
}

@Injectable()
class NoticeClientEvents extends ClientEvents {
  override readonly on: Derivations<NoticePosted> = {
    'notice.posted.v1': ({ data }) => [{ type: 'notice', audience: { to: 'everyone' }, body: { text: data.text } }],
  };
  override readonly types: ReadonlySet<string> = new Set(['notice']);

  override present({ entry }: Presentable<Notice>): readonly ClientEvent[] {
    return [{ type: 'notice', ...entry.body }];
  }
}

@Injectable()
class NoticeFields extends RegisterFields {
  override readonly keys = ['notice'];

  constructor(private readonly reader: NoticeReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (wants(context, 'notice')) fields.add('notice', await this.reader.text());
  }
}

class NoticeParams {
  @Param(text())
  @MinCharacters(1)
  text!: string;
}

class PostNoticeCommand extends Command<string> {
  constructor(readonly text: string) {
    super();
  }
}

const postNotice = command(PostNoticeCommand, {}, ({ text: said }) =>
  inStream(noticeDecider, STREAM, () => ({ text: said })).answering(({ events }) => events[0]?.data.text ?? ''),
);

class ReadNoticeQuery extends Query<string> {}

const readNotice = query(ReadNoticeQuery, { reader: NoticeReader }, (_, { reader }) => reader.text());

@Controller('api/v1/notice')
class NoticeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  async post(@Params(NoticeParams) { text: said }: NoticeParams): Promise<object> {
    return { posted: await this.commands.execute(new PostNoticeCommand(said)) };
  }

  @Get()
  async get(): Promise<object> {
    return { notice: await this.queries.execute(new ReadNoticeQuery()) };
  }
}

const notices = defineFeature({
  name: 'notices',
  events: [noticePosted],
  projections: [noticesProjection],
  clientEvents: [NoticeClientEvents],
  register: [NoticeFields],
  commands: [postNotice],
  queries: [readNotice],
  controllers: [NoticeController],
  providers: [NoticeReader],
});

describe('a server with one more feature', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer({}, undefined, compose([...FEATURES, notices]));
  });
  afterAll(() => server.stop());

  test('has its route, its read model, its client event and its register field', async () => {
    const { owner } = server;
    // The interface has no such field: `ApiClient.register` would complain of it.
    const register = (): Promise<any> => owner.ok('POST', '/register', { event_types: ['notice'] });
    const { notice, queue_id, last_event_id } = await register();
    expect(notice).toBe('');

    expect((await owner.ok('POST', '/notice', { text: 'Lunch is ready' })).posted).toBe('Lunch is ready');

    expect((await owner.ok('GET', '/notice')).notice).toBe('Lunch is ready');
    expect(await owner.call('POST', '/notice', { text: '' })).toMatchObject({ status: 400 });
    const { events } = await owner.ok('GET', '/events', { queue_id, last_event_id, dont_block: true });
    expect(events).toEqual([{ type: 'notice', text: 'Lunch is ready', id: expect.any(Number) }]);
    expect((await register()).notice).toBe('Lunch is ready');
  });

  test('reads its events again after a restart', async () => {
    await server.restart();
    expect((await server.owner.ok('GET', '/notice')).notice).toBe('Lunch is ready');
  });
});

test.each([
  ['two features of one name', defineFeature({ name: 'messages' }), 'The feature messages is defined'],
  [
    'two of one event type',
    defineFeature({ name: 'x', events: [eventType('message.sent.v1', Type.Object({}))] }),
    'message.sent.v1',
  ],
  [
    'one that handles an unknown event type',
    defineFeature({ name: 'x', projections: [noticesProjection] }),
    'The feature x reads events of type notice.posted.v1',
  ],
  [
    'one whose event entails what nobody does',
    defineFeature({
      name: 'x',
      events: [eventType('thing.lost.v1', Type.Object({ entails: Type.Optional(Type.Literal('notice')) }))],
      decidersOnly: ['thing.lost.v1'],
    }),
    'The feature x records thing.lost.v1, and no feature does what it entails',
  ],
])('%s do not start', (_what, feature, text) => {
  expect(() => compose([...FEATURES, feature])).toThrow(text);
});

test('an event type without a reader fails the start, unless it is for deciders alone', async () => {
  const events = [eventType('thing.lost.v1', Type.Object({}))];
  const starting = (feature: ReturnType<typeof defineFeature>) =>
    startTestServer({}, undefined, compose([...FEATURES, feature]));
  await expect(starting(defineFeature({ name: 'x', events }))).rejects.toThrow('records thing.lost.v1');
  await expect(starting(defineFeature({ name: 'x', decidersOnly: ['message.sent.v1'] }))).rejects.toThrow(
    'names message.sent.v1 in decidersOnly',
  );
  const server = await starting(defineFeature({ name: 'x', events, decidersOnly: ['thing.lost.v1'] }));
  await server.stop();
});
