import { Controller, Get, Res, StreamableFile, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnswersFile, ApiTags, Caller, HiddenBy, Params, PathId, Raw, Summary } from '#http';
import { Refusal } from '#kernel';
import type { User } from '#users/model';
import { AuditorDoor, IntendedGuard } from '../access/doors.js';
import { Answering } from '../answering.js';
import type { Asked } from '../approvals/scope.js';
import { ExportFiles } from '../export/export-files.js';
import { type Selection, selectedWords } from '../export/export-selection.js';
import { readMoment, readTime } from '../moment.js';
import { Named } from '../past/named.js';
import { Questions } from '../questions.js';
import { ExportFileParams, ExportParams } from './export.params.js';

/** What selects messages, by the names on the wire. */
type Selecting = Pick<ExportParams, 'channel' | 'user' | 'after' | 'before' | 'words'>;

/** What an auditor takes along (endpoints.md §16). */
@ApiTags('audit')
@Controller('api/v1/audit/export')
@HiddenBy(AuditorDoor)
@UseGuards(IntendedGuard)
export class ExportController {
  constructor(
    private readonly answering: Answering,
    private readonly questions: Questions,
    private readonly files: ExportFiles,
    private readonly named: Named,
  ) {}

  /** Messages with all that they ever were. */
  @Get()
  @Raw()
  @AnswersFile('application/jsonl')
  @Summary('Export messages with all that they ever were', 'As JSON lines, deleted messages included. For auditors.')
  rows(@Caller() auditor: User, @Params(ExportParams) params: ExportParams, @Res() reply: FastifyReply): Promise<void> {
    const { channel, user, after, before, words, since, afterMessage } = params;
    const given = { channel, user, after, before, words, since, after_message: afterMessage };
    return this.answering.answer(reply, auditor, params.question('export', given), ({ exported }, moment, call) => {
      const asked = { selection: this.#selection(params), since, afterMessage: afterMessage ?? 0 };
      return exported.rows(asked, moment, call);
    });
  }

  /** The content of a file. */
  @Get('files/:file_id')
  @AnswersFile('application/octet-stream')
  @Summary('Export the content of a file', 'Of whomever it is. For auditors.')
  async file(
    @Caller() auditor: User,
    @PathId('file_id') fileId: number,
    @Params(ExportFileParams) params: ExportFileParams,
  ): Promise<StreamableFile> {
    const question = params.question('export/files', { file_id: fileId, message_id: params.messageId });
    await this.answering.record(auditor, question, (approved) => this.#hasFile(approved, fileId, params));
    const { content, size } = await this.files.open(fileId);
    return new StreamableFile(content, {
      type: 'application/octet-stream',
      disposition: 'attachment',
      length: size,
    });
  }

  /** Whether an approved export has the file. */
  async #hasFile(approved: Asked, fileId: number, { messageId, asOf }: ExportFileParams): Promise<boolean> {
    if (approved.question !== 'export' || messageId === undefined) return false;
    const { parameters } = approved;
    // Which messages have changed is known while the log is read on, not of a message alone.
    if (parameters['since'] !== undefined || messageId <= Number(parameters['after_message'] ?? 0)) return false;
    try {
      const moment = readMoment(parameters['as_of'] ?? asOf);
      return await this.questions.answers().exported.hasFile(this.#selection(parameters), messageId, fileId, moment);
    } catch (error) {
      // What was approved names a channel or a user that there is not, so it selects nothing.
      if (error instanceof Refusal && error.code === 'BAD_REQUEST') return false;
      throw error;
    }
  }

  /** @throws Refusal BAD_REQUEST */
  #selection({ channel, user, after, before, words }: Selecting): Selection {
    return {
      channelId: channel === undefined ? undefined : this.named.channel(channel).channelId,
      senderId: user === undefined ? undefined : this.named.user(user).userId,
      after: after === undefined ? undefined : readTime('after', after),
      before: before === undefined ? undefined : readTime('before', before),
      words: selectedWords(words),
    };
  }
}
