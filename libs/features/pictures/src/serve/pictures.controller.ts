import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { BlobStore } from '#blob-store';
import { ReadBarrier } from '#event-store';
import { AnswersFile, ApiTags, NotRateLimited, Public, Raw, Summary } from '#http';
import { Directory } from '#people';
import { identiconSeed } from '#users/model';
import { AVATAR_SIDE, MEDIUM_AVATAR_SIDE } from '../avatars/avatar-images.js';
import { PICTURE_SPACES } from '../picture-spaces.js';
import { answerDrawn, answerStored, noSuchPicture } from './answer-picture.js';
import { drawIdenticon } from './identicon.js';
import { customEmojiById } from '../model/emoji/custom-emoji.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';
import { brandingNamed } from '../model/branding/branding.js';
import { brandingPart } from '../model/branding/branding.part.js';

const PNG = 'image/png';

/** Pictures of users and of the organization (endpoints.md §2). Whoever knows an address may load it. */
@ApiTags('pictures')
@Public()
@Raw()
@NotRateLimited()
@Controller('user_avatars')
export class PicturesController {
  constructor(
    private readonly directory: Directory,
    private readonly barrier: ReadBarrier,
    private readonly blobs: BlobStore,
  ) {}

  @Get(':realm_id/:hash.png')
  @AnswersFile('image/png')
  @Summary('Show a picture of a user', 'Addresses of pictures are in users.')
  async avatar(@Param('hash') file: string, @Res() reply: FastifyReply): Promise<void> {
    const [, name = '', medium] = /^([0-9a-f]{40})(-medium)?$/.exec(file) ?? [];
    const seed = identiconSeed(name);
    if (seed !== undefined) {
      answerDrawn(reply, drawIdenticon(seed, medium === undefined ? AVATAR_SIDE : MEDIUM_AVATAR_SIDE), PNG);
      return;
    }
    const avatar = await this.#known(() => this.directory.avatarNamed(name));
    const hash = medium === undefined ? avatar.image : avatar.medium;
    await answerStored(reply, this.blobs.space(PICTURE_SPACES.avatars), hash, PNG);
  }

  @Get(':realm_id/emoji/images/:file')
  @AnswersFile('image/png', 'image/gif')
  @Summary('Show a custom emoji', 'Addresses of emoji are in `realm_emoji`.')
  async emoji(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    const [, id = '', still, format = ''] = /^([1-9]\d{0,8})(-still)?\.([a-z]+)$/.exec(file) ?? [];
    const found = await this.#known(() => {
      const emoji = customEmojiById(this.directory.of(customEmojiPart), Number(id));
      if (emoji === undefined) return undefined;
      if (still !== undefined) return format === 'png' && emoji.still !== undefined ? emoji.still : undefined;
      return format === emoji.format ? emoji.image : undefined;
    });
    await answerStored(reply, this.blobs.space(PICTURE_SPACES.emoji), found, `image/${format}`);
  }

  @Get(':realm_id/realm/:file')
  @AnswersFile('image/png')
  @Summary('Show the icon or the logo', 'Addresses are in the register response.')
  async branding(@Param('file') file: string, @Res() reply: FastifyReply): Promise<void> {
    const [, name = ''] = /^([0-9a-f]{40})\.png$/.exec(file) ?? [];
    const { image } = await this.#known(() => brandingNamed(this.directory.of(brandingPart), name));
    await answerStored(reply, this.blobs.space(PICTURE_SPACES.branding), image, PNG);
  }

  /** What the picture belongs to; another process may have recorded it a moment ago. */
  async #known<Found>(find: () => Found | undefined): Promise<Found> {
    const known = find();
    if (known !== undefined) return known;
    await this.barrier.sync();
    const found = find();
    if (found === undefined) throw noSuchPicture();
    return found;
  }
}
