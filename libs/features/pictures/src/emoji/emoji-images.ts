import { Injectable } from '@nestjs/common';
import { BlobStore } from '#blob-store';
import { emojiImage } from '#images';
import { PICTURE_SPACES } from '../picture-spaces.js';
import type { EmojiPicture } from './emoji.commands.js';

/** In pixels. */
const EMOJI_SIDE = 64;

/** Makes emoji of uploaded images. */
@Injectable()
export class EmojiImages {
  constructor(private readonly blobs: BlobStore) {}

  /**
   * Draws and stores the image. The event that names it is recorded afterwards; without one it is removed later.
   * @throws Refusal BAD_IMAGE, SERVER_NOT_READY
   */
  async store(original: Buffer): Promise<EmojiPicture> {
    const { image, still } = await emojiImage(original, EMOJI_SIDE);
    const { format } = image;
    const space = this.blobs.space(PICTURE_SPACES.emoji);
    const { hash } = await space.put(image.bytes);
    if (still === undefined) return { image: hash, format };
    return { image: hash, format, still: (await space.put(still.bytes)).hash };
  }
}
