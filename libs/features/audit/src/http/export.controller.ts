import { Controller, Get, Res, StreamableFile, UseGuards } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AnswersFile, ApiTags, Caller, Params, PathId, Raw, Summary } from '#http';
import type { User } from '#organization';
import { AuditorGuard } from '../access/auditor.guard.js';
import { Answering } from '../answering.js';
import { ExportFiles } from '../export/export-files.js';
import { ExportRows } from '../export/export-rows.js';
import { type Selection, selectedWords } from '../export/export-selection.js';
import { readTime } from '../moment.js';
import { Named } from '../past/named.js';
import { AuditParams } from './audit.params.js';
import { ExportParams } from './export.params.js';

/** What an auditor takes along (endpoints.md §16). */
@ApiTags('audit')
@Controller('api/v1/audit/export')
@UseGuards(AuditorGuard)
export class ExportController {
  constructor(
    private readonly answering: Answering,
    private readonly exported: ExportRows,
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
    return this.answering.answer(reply, auditor, params.question('export', given), (moment, call) => {
      const asked = { selection: this.#selection(params), since, afterMessage: afterMessage ?? 0 };
      return this.exported.rows(asked, moment, call);
    });
  }

  /** The content of a file. */
  @Get('files/:file_id')
  @AnswersFile('application/octet-stream')
  @Summary('Export the content of a file', 'Of whomever it is. For auditors.')
  async file(
    @Caller() auditor: User,
    @PathId('file_id') fileId: number,
    @Params(AuditParams) params: AuditParams,
  ): Promise<StreamableFile> {
    await this.answering.record(auditor, params.question('export/files', { file_id: fileId }));
    const { content, size } = await this.files.open(fileId);
    return new StreamableFile(content, {
      type: 'application/octet-stream',
      disposition: 'attachment',
      length: size,
    });
  }

  /** @throws Refusal BAD_REQUEST */
  #selection({ channel, user, after, before, words }: ExportParams): Selection {
    return {
      channelId: channel === undefined ? undefined : this.named.channel(channel).channelId,
      senderId: user === undefined ? undefined : this.named.user(user).userId,
      after: after === undefined ? undefined : readTime('after', after),
      before: before === undefined ? undefined : readTime('before', before),
      words: selectedWords(words),
    };
  }
}
