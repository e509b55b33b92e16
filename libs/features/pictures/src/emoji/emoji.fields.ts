import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { wireEmojiMap } from './wire-emoji.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';

/** The organization's custom emoji (register.md §2). */
@Injectable()
export class EmojiFields extends RegisterFields {
  override readonly keys = ['realm_emoji'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (wants(context, 'realm_emoji'))
      fields.add('realm_emoji', wireEmojiMap(context.directory.of(customEmojiPart).inOrder));
  }
}
