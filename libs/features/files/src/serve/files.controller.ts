import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { AnswersFile, ApiTags, Caller, FromRequest, Public, ServesFiles, Summary } from '#http';
import { originFrom, type Origin } from '#kernel';
import { Directory } from '#people';
import { SPECTATOR, type User } from '#users/model';
import { THUMBNAIL_FORMATS } from '#realm/model';
import { UseLog } from '#uses';
import type { FileDocument } from '../model/files.projection.js';
import { type FileRow, FilesReader } from '../model/files.reader.js';
import { FileSender, type SentFile } from './file-sender.js';
import { noSuchFile, ReadableFiles } from './readable-files.js';
import { pathOf } from './request-path.js';
import { TemporaryLinks } from './temporary-links.js';

/** Files as clients load them (endpoints.md §2). */
@ApiTags('files')
@ServesFiles()
@Controller('user_uploads')
export class FilesController {
  constructor(
    private readonly directory: Directory,
    private readonly readable: ReadableFiles,
    private readonly files: FilesReader,
    private readonly links: TemporaryLinks,
    private readonly sender: FileSender,
    private readonly uses: UseLog,
  ) {}

  /** A file by a link of `GET /api/v1/user_uploads/…`, without credentials. No link opens a deactivated organization. */
  @Get('temporary/:token/:filename')
  @AnswersFile('application/octet-stream')
  @Summary('Download a file by a temporary address', 'The address is the credential.')
  @Public()
  async temporary(
    @Param('token') token: string,
    @Param('filename') name: string,
    @FromRequest() visitor: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    if (this.directory.organization.deactivated !== undefined) throw noSuchFile();
    const fileId = this.links.fileIdOf(token);
    const found = fileId === undefined ? undefined : await this.files.get(fileId);
    if (found?.doc.name !== name) throw noSuchFile();
    this.uses.note({ kind: 'file-fetched', fileId: found.fileId, origin: visitor });
    return this.sender.send(originalOf(found.doc), request, reply, false);
  }

  /** A thumbnail; `format` is a name of `server_thumbnail_formats`. The path may be encoded as one segment. */
  @Get(['thumbnail/:realm_id/:path/:format', 'thumbnail/:realm_id/*'])
  @AnswersFile('image/webp')
  @Summary('Show a smaller picture of a file', 'In one of the formats of `server_thumbnail_formats`.')
  async thumbnail(
    @Caller() caller: User | undefined,
    @FromRequest() visitor: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    const path = pathOf(request);
    const slash = path.lastIndexOf('/');
    const { doc } = await this.#access(caller, visitor, path.slice(0, slash));
    const thumbnail = thumbnailOf(doc, path.slice(slash + 1));
    if (thumbnail === undefined) throw noSuchFile();
    return this.sender.send(thumbnail, request, reply, false);
  }

  /** A file to be saved, whatever its type. */
  @Get(['download/:realm_id/:path', 'download/:realm_id/*'])
  @AnswersFile('application/octet-stream')
  @Summary('Download a file', 'Never shown by a browser.')
  async download(
    @Caller() caller: User | undefined,
    @FromRequest() visitor: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    const { doc } = await this.#access(caller, visitor, pathOf(request));
    return this.sender.send(originalOf(doc), request, reply, true);
  }

  @Get([':realm_id/:path', ':realm_id/*'])
  @AnswersFile('application/octet-stream')
  @Summary('Show a file', 'For its uploader, and readers of a message that refers to it.')
  async file(
    @Caller() caller: User | undefined,
    @FromRequest() visitor: Origin,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable | undefined> {
    const { doc } = await this.#access(caller, visitor, pathOf(request));
    return this.sender.send(originalOf(doc), request, reply, false);
  }

  /** @throws Refusal NOT_FOUND, also for anonymous callers: an image does not ask a browser for a password */
  async #access(caller: User | undefined, visitor: Origin, pathId: string): Promise<FileRow> {
    const { organization, settings } = this.directory;
    if (caller === undefined && (!settings.enable_spectator_access || organization.deactivated !== undefined))
      throw noSuchFile();
    const row = await this.readable.access(caller ?? SPECTATOR, pathId);
    const origin = caller === undefined ? visitor : originFrom(caller);
    this.uses.note({ kind: 'file-fetched', fileId: row.fileId, origin });
    return row;
  }
}

function originalOf({ hash, size, contentType, name, title = name }: FileDocument): SentFile {
  return { hash, size, contentType, title };
}

/** A still image has the same thumbnail in all formats. */
function thumbnailOf({ name, title = name, image }: FileDocument, format: string): SentFile | undefined {
  const asked = THUMBNAIL_FORMATS.find((one) => one.name === format);
  const thumbnails = image?.thumbnails ?? [];
  const found = thumbnails.find((one) => one.format === asked?.name) ?? thumbnails.at(-1);
  if (asked === undefined || found === undefined) return undefined;
  const { hash, size } = found;
  return { hash, size, contentType: `image/${asked.format}`, title: `${title}.${asked.format}` };
}
