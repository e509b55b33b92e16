import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BlobStore } from '#blob-store';
import { squareImage } from '#images';
import type { Avatar } from '#users/model';
import { PICTURE_SPACES } from '../picture-spaces.js';

/** In pixels (endpoints.md §2). */
export const AVATAR_SIDE = 100;
export const MEDIUM_AVATAR_SIDE = 500;

const NAME_BYTES = 20;

/** A new name in the address of a picture. */
export function newPictureName(): string {
  return randomBytes(NAME_BYTES).toString('hex');
}

/** Makes avatars of uploaded images. */
@Injectable()
export class AvatarImages {
  constructor(private readonly blobs: BlobStore) {}

  /**
   * Draws the image in both sizes and stores them. The event that names them is recorded afterwards; without one they are
   * removed later.
   * @throws Refusal BAD_IMAGE, SERVER_NOT_READY
   */
  async store(original: Buffer): Promise<Avatar> {
    const image = await squareImage(original, AVATAR_SIDE);
    const medium = await squareImage(original, MEDIUM_AVATAR_SIDE);
    const space = this.blobs.space(PICTURE_SPACES.avatars);
    const [small, large] = [await space.put(image.bytes), await space.put(medium.bytes)];
    return { name: newPictureName(), image: small.hash, medium: large.hash };
  }
}
