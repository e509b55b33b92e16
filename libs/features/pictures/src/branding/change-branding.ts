import { Command } from '@nestjs/cqrs';
import { BlobStore } from '#blob-store';
import { command, inOrganization } from '#feature';
import { type DrawnImage, fittedImage, squareImage } from '#images';
import { assertAdministrator, type User } from '#users/model';
import { newPictureName } from '../avatars/avatar-images.js';
import { PICTURE_SPACES } from '../picture-spaces.js';
import { decideBranding } from './branding.decider.js';
import type { BrandingKind, BrandingPicture } from '../model/branding/branding.js';

/** In pixels: as large as clients show them, on screens with twice the density. */
const ICON_SIDE = 200;
const LOGO_WIDTH = 800;
const LOGO_HEIGHT = 100;

/** Changes the organization's icon or a logo. */
export class ChangeBrandingCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly kind: BrandingKind,
    /** An image file; null for the server's own picture. */
    readonly original: Buffer | null,
  ) {
    super();
  }
}

/** @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_IMAGE, SERVER_NOT_READY */
export const changeBranding = command(
  ChangeBrandingCommand,
  { blobs: BlobStore },
  async ({ actor, kind, original }, { blobs }) => {
    // What may not be done is refused before an image is drawn.
    assertAdministrator(actor);
    const picture = original === null ? null : await store(blobs, kind, original);
    return inOrganization((directory, at) => decideBranding(directory, { actorId: actor.userId, kind, picture, at }));
  },
);

/** The event that names the picture is recorded afterwards; without one it is removed later. */
async function store(blobs: BlobStore, kind: BrandingKind, original: Buffer): Promise<BrandingPicture> {
  const { bytes } = await drawn(kind, original);
  const { hash } = await blobs.space(PICTURE_SPACES.branding).put(bytes);
  return { name: newPictureName(), image: hash };
}

function drawn(kind: BrandingKind, original: Buffer): Promise<DrawnImage> {
  return kind === 'icon' ? squareImage(original, ICON_SIDE) : fittedImage(original, LOGO_WIDTH, LOGO_HEIGHT);
}
