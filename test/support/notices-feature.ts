/** A feature with something of everything that a manifest can name: a notice that is posted, told, and over at a time. */
import { Controller, Get, Injectable, Post } from '@nestjs/common';
import { Command, CommandBus, Query, QueryBus } from '@nestjs/cqrs';
import { Type } from 'typebox';
import { directoryValue } from '#directory';
import { eventType, type EventOf, streams } from '#event-store';
import {
  command,
  Decisions,
  defineFeature,
  type Feature,
  inStream,
  type JsonFields,
  query,
  readerProvider,
  type RegisterContext,
  RegisterFields,
  wants,
} from '#feature';
import { type ClientEvent, ClientEvents, type Derivations, noClientEvents, type Presentable } from '#feed';
import type { FollowUp, Trigger } from '#follow-ups';
import { Answers, Caller, integer, Param, Params, text } from '#http';
import { causedBy, type Decider, type Origin } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { type Collection, type CollectionSchema, type GatedWork, projection, type ReadSidePass } from '#read-store';
import { type TimerHandler, timersOf } from '#timers';
import { MinCharacters } from '#validation';
import { integer as wireInteger, object, text as wireText, type Wire } from '#wire';

const posted = eventType(
  'notice.posted.v1',
  Type.Object({ text: Type.String(), until: Type.Integer(), entails: Type.Literal('telling') }),
);
const told = eventType('notice.told.v1', Type.Object({}));
const ended = eventType('notice.ended.v1', Type.Object({}));
export const noticeEventTypes = [posted, told, ended] as const;
type NoticeEvent = EventOf<(typeof noticeEventTypes)[number]>;

// ---- Deciding

const STREAM = `${streams.prefix}notices`;
type NoticeCommand =
  { readonly type: 'post'; readonly text: string; readonly until: number } | { readonly type: 'tell' | 'end' };

const noticeDecider: Decider<{ readonly last: NoticeEvent['type'] | undefined }, NoticeCommand, NoticeEvent> = {
  initial: () => ({ last: undefined }),
  decide: ({ last }, asked) => {
    if (asked.type === 'post') {
      const { text: said, until } = asked;
      return [{ type: 'notice.posted.v1', data: { text: said, until, entails: 'telling' } }];
    }
    if (last === undefined || last === 'notice.ended.v1') return [];
    if (asked.type === 'end') return [{ type: 'notice.ended.v1', data: {} }];
    return last === 'notice.posted.v1' ? [{ type: 'notice.told.v1', data: {} }] : [];
  },
  evolve: (_, { type }) => ({ last: type }),
};

class PostNoticeCommand extends Command<string> {
  constructor(
    readonly actor: User,
    readonly text: string,
    readonly seconds: number,
  ) {
    super();
  }
}

const postNotice = command(PostNoticeCommand, {}, ({ text: said, seconds }) =>
  inStream(noticeDecider, STREAM, (at) => ({ type: 'post' as const, text: said, until: at + seconds })).answering(
    ({ events: [event] }) => event?.type ?? 'nothing',
  ),
);

@Injectable()
class TellNotice implements FollowUp {
  constructor(private readonly decisions: Decisions) {}

  carryOut(cause: Trigger): Promise<void> {
    const decision = inStream(noticeDecider, STREAM, () => ({ type: 'tell' as const }));
    return this.decisions.carryThrough(decision, causedBy(cause));
  }
}

const noticeTimers = timersOf<NoticeEvent>('end-of-notice', {
  'notice.posted.v1': ({ data: { until } }) => [{ subject: 'the one', dueAt: until }],
  'notice.ended.v1': () => [{ subject: 'the one', dueAt: undefined }],
});

@Injectable()
class EndNotice implements TimerHandler {
  constructor(private readonly decisions: Decisions) {}

  fire(_subject: string, _pass: ReadSidePass, origin: Origin): Promise<void> {
    return this.decisions.carryThrough(
      inStream(noticeDecider, STREAM, () => ({ type: 'end' as const })),
      origin,
    );
  }
}

// ---- Reading

interface Notice {
  readonly text: string;
}

const NOTICE = 'the one';
const collection = { name: 'notices', key: 'text', fields: {}, indexes: [] } as const satisfies CollectionSchema;

export const noticesProjection = projection<Notice, Exclude<NoticeEvent, { type: 'notice.told.v1' }>>(collection, {
  'notice.posted.v1': { keys: () => [NOTICE], evolve: (_doc, { data }) => ({ text: data.text }) },
  'notice.ended.v1': { keys: () => [NOTICE], evolve: () => ({ text: '' }) },
});

class NoticeReader {
  constructor(private readonly notices: Collection<Notice>) {}

  async text(): Promise<string> {
    return (await this.notices.get(NOTICE))?.text ?? '';
  }
}

const noticesPart = directoryValue({
  name: 'notices',
  events: noticeEventTypes,
  initial: { told: 0 },
  evolve: (state, { type }) => (type === 'notice.told.v1' ? { told: state.told + 1 } : state),
});

@Injectable()
class CountTold implements GatedWork {
  readonly name = 'counting-notices';
  readonly complaint = 'Notices cannot be counted at the moment.';
  readonly everyMs = 20;
  readonly isExclusive = true;
  counted = 0;

  constructor(private readonly directory: Directory) {}

  async turn(pass: ReadSidePass): Promise<void> {
    await pass.assertValid();
    this.counted = this.directory.of(noticesPart).told;
  }
}

const NoticeSchema = object({ notice: wireText, told: wireInteger, counted: wireInteger });

class ReadNoticeQuery extends Query<Wire<typeof NoticeSchema>> {}

const readNotice = query(
  ReadNoticeQuery,
  { reader: NoticeReader, directory: Directory, count: CountTold },
  async (_, { reader, directory, count }) => ({
    notice: await reader.text(),
    told: directory.of(noticesPart).told,
    counted: count.counted,
  }),
);

@Injectable()
class NoticeClientEvents extends ClientEvents {
  override readonly on: Derivations<NoticeEvent> = {
    'notice.posted.v1': ({ data }) => [{ type: 'notice', audience: { to: 'everyone' }, body: { text: data.text } }],
    'notice.told.v1': noClientEvents,
    'notice.ended.v1': () => [{ type: 'notice', audience: { to: 'everyone' }, body: { text: '' } }],
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

  @Param(integer())
  seconds!: number;
}

@Controller('api/v1/notice')
class NoticeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers(object({ posted: wireText }))
  async post(
    @Caller() actor: User,
    @Params(NoticeParams) { text: said, seconds }: NoticeParams,
  ): Promise<{ posted: string }> {
    return { posted: await this.commands.execute(new PostNoticeCommand(actor, said, seconds)) };
  }

  @Get()
  @Answers(NoticeSchema)
  get(): Promise<Wire<typeof NoticeSchema>> {
    return this.queries.execute(new ReadNoticeQuery());
  }
}

export const NOTICES = {
  name: 'notices',
  directory: [noticesPart],
  projections: [noticesProjection],
  clientEvents: [NoticeClientEvents],
  eventSchemas: [{ notice: { text: wireText } }],
  followUps: { 'notice.posted.v1': TellNotice },
  timers: [{ source: noticeTimers, handler: EndNotice }],
  work: [CountTold],
  register: [NoticeFields],
  registerSchemas: [{ notice: wireText }],
  commands: [postNotice],
  queries: [readNotice],
  controllers: [NoticeController],
  providers: [readerProvider(NoticeReader, collection)],
} satisfies Feature;

export const notices = defineFeature(NOTICES);
