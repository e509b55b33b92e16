import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { integer, list, object, truth } from '#wire';
import { ListConsentsQuery, ListExportsQuery } from '../list-exports.js';
import { ChangeExportsCommand } from '../requests/change-exports.js';
import { EXPORT_TYPE, ExportSchema, type WireExport } from '../wire-export.js';
import { RequestExportParams } from './exports.params.js';

/** Exports of the organization's data (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/export/realm')
export class ExportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Answers(object({ exports: list(ExportSchema) }))
  @Summary('List the exports', 'For administrators.')
  async list(@Caller() viewer: User): Promise<{ exports: readonly WireExport[] }> {
    return { exports: await this.queries.execute(new ListExportsQuery(viewer)) };
  }

  @Post()
  @Answers(object({ id: integer }))
  @Summary('Request an export', 'It is made in the background. For administrators; five a week.')
  async request(
    @Caller() actor: User,
    @Params(RequestExportParams) { export_type: type }: RequestExportParams,
  ): Promise<{ id: number }> {
    const kind = type === EXPORT_TYPE.public ? 'public' : 'consented';
    return { id: await this.commands.execute(new ChangeExportsCommand(actor, { type: 'request-export', kind })) };
  }

  @Get('consents')
  @Answers(object({ export_consents: list(object({ user_id: integer, consented: truth })) }))
  @Summary('List who allows exports of their private data', 'For administrators.')
  async consents(
    @Caller() viewer: User,
  ): Promise<{ export_consents: readonly { user_id: number; consented: boolean }[] }> {
    return { export_consents: await this.queries.execute(new ListConsentsQuery(viewer)) };
  }

  @Delete(':export_id')
  @Answers()
  @Summary('Delete an export', 'For administrators.')
  async delete(@Caller() actor: User, @PathId('export_id') exportId: number): Promise<void> {
    await this.commands.execute(new ChangeExportsCommand(actor, { type: 'delete-export', exportId }));
  }
}
