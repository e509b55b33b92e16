import { Injectable } from '@nestjs/common';
import { BlobStore } from '#blob-store';
import { Clock } from '#kernel';
import { Directory } from '#people';
import type { GatedWork, ReadSidePass } from '#read-store';
import { PICTURE_SPACES } from '../picture-spaces.js';
import { BRANDING_KINDS } from '../model/branding/branding.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';
import { brandingPart } from '../model/branding/branding.part.js';

/** Replaced pictures take little space: an hour more is no matter. */
const CLEAN_EVERY_MS = 60 * 60 * 1_000;

/** Much longer than from the storing of a picture to the event that names it. */
const UNNAMED_FOR_MS = 24 * 60 * 60 * 1_000;

/**
 * Removes the content of pictures that nothing names: of those that were replaced or taken away, and of those whose event was
 * never recorded, since it was refused or the process ended.
 */
@Injectable()
export class PictureCleaner implements GatedWork {
  readonly name = 'unused-pictures';
  readonly complaint = 'Pictures that nothing names cannot be removed at the moment.';
  readonly everyMs = CLEAN_EVERY_MS;
  readonly removes = true;
  readonly isExclusive = true;

  constructor(
    private readonly directory: Directory,
    private readonly blobs: BlobStore,
    private readonly clock: Clock,
  ) {}

  async turn(pass: ReadSidePass): Promise<void> {
    // A picture that the directory does not know yet must not look like one that nothing names: it has passed the log's end.
    const named = this.#named();
    const storedBeforeMs = this.clock.nowMs() - UNNAMED_FOR_MS;
    for (const name of Object.values(PICTURE_SPACES)) {
      const space = this.blobs.space(name);
      for await (const { hash, storedAtMs } of space.list())
        if (storedAtMs < storedBeforeMs && !named.has(hash)) {
          await pass.assertValid();
          await space.remove(hash, storedBeforeMs);
        }
    }
  }

  /** Hashes of all content that is in use. */
  #named(): ReadonlySet<string> {
    const branding = this.directory.of(brandingPart);
    const named = new Set<string>();
    for (const { avatar } of this.directory.users())
      if (avatar !== undefined) named.add(avatar.image).add(avatar.medium);
    for (const { image, still } of this.directory.of(customEmojiPart).inOrder) {
      named.add(image);
      if (still !== undefined) named.add(still);
    }
    for (const kind of BRANDING_KINDS) {
      const picture = branding[kind]?.picture;
      if (picture !== undefined) named.add(picture.image);
    }
    return named;
  }
}
