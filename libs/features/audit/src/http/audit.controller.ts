import { Controller, Get, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnswersFile, ApiTags, Caller, HiddenBy, Params, PathId, Raw, Summary } from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { AuditorDoor, IntendedGuard } from '../access/doors.js';
import { Answering } from '../answering.js';
import { AuditCalls } from '../calls/audit-calls.js';
import { type Moment, readMoment } from '../moment.js';
import { Named } from '../past/named.js';
import {
  AccessParams,
  ActsParams,
  AuditParams,
  ChannelParams,
  GroupParams,
  SearchParams,
  SettingParams,
  SignInsParams,
  TopicParams,
  UserParams,
} from './audit.params.js';

/** Questions of auditors (endpoints.md §16). Answers are JSON Lines. */
@ApiTags('audit')
@Controller('api/v1/audit')
@HiddenBy(AuditorDoor)
@UseGuards(IntendedGuard)
@Raw()
export class AuditController {
  constructor(
    private readonly answering: Answering,
    private readonly calls: AuditCalls,
    private readonly named: Named,
  ) {}

  /** All calls of auditors, this one included. */
  @Get('audits')
  @AnswersFile('application/jsonl')
  @Summary('List the calls of auditors', 'As JSON lines, this call included. For auditors.')
  audits(@Caller() auditor: User, @Params(AuditParams) params: AuditParams, @Res() reply: FastifyReply): Promise<void> {
    return this.answering.answer(reply, auditor, params.question('audits'), ({ log }, moment) =>
      this.calls.rows(log, moment),
    );
  }

  /** Everything about one message, deleted ones included. */
  @Get('messages/:message_id')
  @AnswersFile('application/jsonl')
  @Summary('Tell everything about a message', 'As JSON lines, deleted messages included. For auditors.')
  message(
    @Caller() auditor: User,
    @PathId('message_id') id: number,
    @Params(AuditParams) params: AuditParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const question = params.question('messages', { message_id: id });
    return this.answering.answer(reply, auditor, question, ({ messages }, moment) => messages.rows(id, moment));
  }

  /** A topic as it read then, deleted messages included. */
  @Get('topic')
  @AnswersFile('application/jsonl')
  @Summary('Tell a topic as it read then', 'As JSON lines, deleted messages included. For auditors.')
  topic(@Caller() auditor: User, @Params(TopicParams) params: TopicParams, @Res() reply: FastifyReply): Promise<void> {
    const { channel, topic } = params;
    return this.answering.answer(reply, auditor, params.question('topic', { channel, topic }), ({ topics }, moment) =>
      topics.rows(this.named.channel(channel).channelId, topic, moment),
    );
  }

  /** A channel and its subscribers then, and what was changed since. */
  @Get('channel')
  @AnswersFile('application/jsonl')
  @Summary('Tell a channel as it was then', 'As JSON lines: its subscribers, and what was changed since. For auditors.')
  channel(
    @Caller() auditor: User,
    @Params(ChannelParams) params: ChannelParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { channel } = params;
    return this.answering.answer(reply, auditor, params.question('channel', { channel }), ({ parts }, moment) =>
      parts.channel(this.named.channel(channel).channelId, moment),
    );
  }

  /** An account with its subscriptions and groups then, and what was changed since. */
  @Get('user')
  @AnswersFile('application/jsonl')
  @Summary(
    'Tell an account as it was then',
    'As JSON lines: its subscriptions and groups, and what was changed since. For auditors.',
  )
  user(@Caller() auditor: User, @Params(UserParams) params: UserParams, @Res() reply: FastifyReply): Promise<void> {
    const { user } = params;
    return this.answering.answer(reply, auditor, params.question('user', { user }), ({ parts }, moment) =>
      parts.user(this.named.user(user).userId, moment),
    );
  }

  /** Everything that a person, a bot or the operator did. */
  @Get('acts')
  @AnswersFile('application/jsonl')
  @Summary(
    'Tell everything that somebody did',
    'As JSON lines: acts of a person, a bot or the operator, in the order of the log. For auditors.',
  )
  acts(@Caller() auditor: User, @Params(ActsParams) params: ActsParams, @Res() reply: FastifyReply): Promise<void> {
    const { who, after, before } = params;
    const [from, to] = periodOf(params);
    return this.answering.answer(
      reply,
      auditor,
      params.question('acts', { who, after, before }),
      ({ acts }, moment) => {
        const actor = who === 'operator' ? who : this.named.user(who).userId;
        return acts.rows(actor, { after: from, upTo: [moment, to] });
      },
    );
  }

  /** Who signed in, and who failed to. */
  @Get('sign-ins')
  @AnswersFile('application/jsonl')
  @Summary(
    'Tell who signed in',
    'As JSON lines: sign-ins and failed ones of everybody or of an account, in the order of the log. For auditors.',
  )
  signIns(
    @Caller() auditor: User,
    @Params(SignInsParams) params: SignInsParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { user, failed, after, before } = params;
    const [from, to] = periodOf(params);
    const given = { user, failed: failed ? 'true' : undefined, after, before };
    return this.answering.answer(reply, auditor, params.question('sign-ins', given), ({ signIns }, moment) => {
      const userId = user === undefined ? undefined : this.named.user(user).userId;
      return signIns.rows(userId, failed, { after: from, upTo: [moment, to] });
    });
  }

  /** A group and its members then, and what was changed since. */
  @Get('group')
  @AnswersFile('application/jsonl')
  @Summary('Tell a group as it was then', 'As JSON lines: its members, and what was changed since. For auditors.')
  group(@Caller() auditor: User, @Params(GroupParams) params: GroupParams, @Res() reply: FastifyReply): Promise<void> {
    const { group } = params;
    return this.answering.answer(reply, auditor, params.question('group', { group }), ({ parts }, moment) =>
      parts.group(this.named.group(group).groupId, moment),
    );
  }

  /** Who changed a setting, a permission or a list of the organization, from what to what. */
  @Get('setting')
  @AnswersFile('application/jsonl')
  @Summary('Tell who changed a setting', 'As JSON lines: of the organization, from what to what. For auditors.')
  setting(
    @Caller() auditor: User,
    @Params(SettingParams) params: SettingParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { setting } = params;
    return this.answering.answer(reply, auditor, params.question('setting', { setting }), ({ settings }, moment) =>
      settings.setting(setting, moment),
    );
  }

  /** Who changed permissions and roles, from what to what. */
  @Get('permissions')
  @AnswersFile('application/jsonl')
  @Summary('Tell who changed permissions', 'As JSON lines: permissions and roles, from what to what. For auditors.')
  permissions(
    @Caller() auditor: User,
    @Params(AuditParams) params: AuditParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.answering.answer(reply, auditor, params.question('permissions'), ({ settings }, moment) =>
      settings.permissions(moment),
    );
  }

  /** Who could read a channel or a message then, by which rule, and what would change that; or what somebody could read. */
  @Get('access')
  @AnswersFile('application/jsonl')
  @Summary(
    'Tell who could read a channel or a message',
    'As JSON lines: then, by which rule, and what would change that. For auditors.',
  )
  access(
    @Caller() auditor: User,
    @Params(AccessParams) params: AccessParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { channel, messageId, user, couldRead } = params;
    if ([channel, messageId, couldRead].filter((one) => one !== undefined).length !== 1)
      throw badRequest('Name one of channel, message_id and could_read.');
    if (couldRead !== undefined && user !== undefined) throw badRequest('could_read names the user.');
    const given = { channel, message_id: messageId, user, could_read: couldRead };
    return this.answering.answer(reply, auditor, params.question('access', given), ({ readers }, moment) => {
      if (couldRead !== undefined) return readers.by(this.named.user(couldRead).userId, moment);
      const userId = user === undefined ? undefined : this.named.user(user).userId;
      if (messageId !== undefined) return readers.ofMessage(messageId, moment, userId);
      return readers.ofChannel(this.named.channel(channel ?? '').channelId, moment, userId);
    });
  }

  /** All wordings that messages ever had, deleted messages included. */
  @Get('search')
  @AnswersFile('application/jsonl')
  @Summary('Search all wordings', 'As JSON lines, former ones and deleted messages included. For auditors.')
  search(
    @Caller() auditor: User,
    @Params(SearchParams) params: SearchParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { words } = params;
    return this.answering.answer(reply, auditor, params.question('search', { words }), ({ search }, moment) =>
      search.rows(words, moment),
    );
  }
}

/** @throws Refusal BAD_REQUEST */
function periodOf({ after, before }: Pick<ActsParams, 'after' | 'before'>): readonly [Moment | undefined, Moment] {
  return [after === undefined ? undefined : readMoment(after, 'after'), readMoment(before, 'before')];
}
