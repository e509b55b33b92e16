import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type WholeState } from '#feed';
import { Directory } from '#people';
import { wireEmojiMap, type emojiEventSchemas } from './wire-emoji.js';
import type { CustomEmojiEvent } from '../model/emoji/custom-emoji.events.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof emojiEventSchemas>;

/** What clients are told of custom emoji (events.md §7): always all of them, as they are now. */
@Injectable()
export class EmojiClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<CustomEmojiEvent> = {
    'emoji.added.v1': allOfThem,
    'emoji.deactivated.v1': allOfThem,
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_emoji']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override wholeState({ type }: FeedEntry): WholeState {
    // Reactions name emoji that the client has to know.
    return { name: type, told: 'first' };
  }

  override present(): readonly Told[] {
    return [{ type: 'realm_emoji', op: 'update', realm_emoji: wireEmojiMap(this.directory.of(customEmojiPart)) }];
  }
}

function allOfThem(): readonly FeedEntry[] {
  return [{ type: 'realm_emoji', audience: { to: 'everyone' }, body: {} }];
}
