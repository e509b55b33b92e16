import { Controller, Get, Param, StreamableFile } from '@nestjs/common';
import { BlobStore } from '#blob-store';
import { AnswersFile, ApiTags, FromRequest, PathId, Public, Summary } from '#http';
import { type Origin, Refusal } from '#kernel';
import { Directory } from '#people';
import { UseLog } from '#uses';
import { ExportLinks } from '../export-links.js';
import { EXPORTS_SPACE } from '../requests/exports-space.js';
import { exportsPart } from '../model/exports.part.js';

/** Archives, at addresses that cannot be guessed (`ExportLinks`). */
@ApiTags('organization')
@Controller('exports/1')
export class ArchiveController {
  constructor(
    private readonly directory: Directory,
    private readonly blobs: BlobStore,
    private readonly links: ExportLinks,
    private readonly uses: UseLog,
  ) {}

  /** @throws Refusal NOT_FOUND, alike for a wrong token and for exports that are not there or not ready */
  @Get(':export_id/:token/:name')
  @AnswersFile('application/gzip', 'application/octet-stream')
  @Summary('Download an export', 'The address is good as long as the export is there.')
  @Public()
  async download(
    @PathId('export_id') exportId: number,
    @Param('token') token: string,
    @FromRequest() origin: Origin,
  ): Promise<StreamableFile> {
    const found = this.directory.of(exportsPart).find((one) => one.exportId === exportId);
    if (!this.links.matches(exportId, token) || found?.phase !== 'ready' || found.archive === undefined) throw gone();
    const archive = await this.blobs.space(EXPORTS_SPACE).open(found.archive.hash);
    if (archive === undefined) throw gone();
    this.uses.note({ kind: 'export-fetched', exportId, origin });
    return new StreamableFile(archive.content, {
      type: 'application/zip',
      disposition: `attachment; filename="scrollback-export-${exportId}.zip"`,
      length: archive.size,
    });
  }
}

function gone(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such archive.');
}
