import { Command } from '@nestjs/cqrs';
import { Injectable } from '@nestjs/common';
import { type BlobSpace, BlobStore, type StagedBlob } from '#blob-store';
import { CommandRunner, streams } from '#event-store';
import { command } from '#feature';
import type { IncomingFile } from '#http';
import { Clock, KeyedMutex, type Origin, originFrom } from '#kernel';
import { UploadLimits } from '#realm/model';
import type { User } from '#users/model';
import { decideUpload } from '../model/file.decider.js';
import { type FileNames, fileNamesOf } from '../model/file-name.js';
import { newToken, pathIdOf } from '../model/file-path.js';
import { fileSpaceOf } from '../model/file-space.js';
import { SpaceReader } from '../model/files.reader.js';
import { inspectUpload, type InspectedUpload } from './inspect-upload.js';
import { ReservedSpace } from './reserved-space.js';
import { UploadSettings } from './upload-settings.js';

const MIB = 1024 * 1024;

/** A stored file. */
export interface UploadedFile {
  readonly pathId: string;
  /** The name that people see. */
  readonly title: string;
}

/** Stores a file. */
export class UploadFileCommand extends Command<UploadedFile> {
  constructor(
    readonly actor: User,
    readonly file: IncomingFile,
  ) {
    super();
  }
}

/** Stores files within the space that there is. */
@Injectable()
export class Uploads {
  readonly #space: BlobSpace;
  readonly #reserved: ReservedSpace;
  /** Images of one person are drawn one after another, so that many of them do not hold up those of others. */
  readonly #drawing = new KeyedMutex();

  constructor(
    blobs: BlobStore,
    used: SpaceReader,
    private readonly limits: UploadLimits,
    private readonly settings: UploadSettings,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {
    this.#space = fileSpaceOf(blobs);
    this.#reserved = new ReservedSpace(() => used.used());
  }

  /** @throws Refusal BAD_REQUEST, REALM_UPLOAD_QUOTA, SERVER_NOT_READY */
  async store({ actor, file }: UploadFileCommand): Promise<UploadedFile> {
    const { content, end, filename } = file;
    /** What is to be discarded in the end. */
    let staged: Pick<StagedBlob, 'discard'> | undefined;
    try {
      const names = fileNamesOf(filename);
      const { name, title = name } = names;
      const sent = (staged = await this.#space.stage(content));
      await end;
      const inspect = (): Promise<InspectedUpload> => inspectUpload(sent, this.#space, this.settings);
      const upload = (staged = await this.#drawing.run(String(actor.userId), inspect));
      const token = newToken();
      await this.#record(upload, { userId: actor.userId, token, ...names }, originFrom(actor));
      return { pathId: pathIdOf({ token, name }), title };
    } finally {
      file.abandon();
      await staged?.discard();
    }
  }

  #record(
    upload: InspectedUpload,
    file: FileNames & { readonly userId: number; readonly token: string },
    origin: Origin,
  ): Promise<void> {
    const { quotaMib } = this.limits;
    const quotaBytes = quotaMib === undefined ? undefined : quotaMib * MIB;
    const record = async (usedBytes: number): Promise<void> => {
      const { contentType } = upload;
      const uploaded = { ...file, contentType, ...(await upload.keep()), atMs: this.clock.nowMs() };
      await this.runner.appendOnly(streams.files, [decideUpload({ file: uploaded, usedBytes, quotaBytes })], origin);
    };
    // Nothing is kept that will be refused.
    return quotaBytes === undefined ? record(0) : this.#reserved.run(upload.size, quotaBytes, record);
  }
}

export const uploadFile = command(UploadFileCommand, { uploads: Uploads }, (asked, { uploads }) =>
  uploads.store(asked),
);
