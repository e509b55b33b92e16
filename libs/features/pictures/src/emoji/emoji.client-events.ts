import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type ListOfThen,
  listOfThen,
  type Presentable,
  type WholeState,
} from '#feed';
import { Directory } from '#people';
import { wireEmojiMap, type emojiEventSchemas } from './wire-emoji.js';
import type { CustomEmojiEvent } from '../model/emoji/custom-emoji.events.js';
import type { CustomEmoji } from '../model/emoji/custom-emoji.js';
import { customEmojiPart } from '../model/emoji/custom-emoji.part.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof emojiEventSchemas>;
type Body = ListOfThen<CustomEmoji>;

/** What clients are told of custom emoji (events.md §7): always all of them. */
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

  override present({ entry: { body } }: Presentable<Body>): readonly Told[] {
    const { state = this.directory.of(customEmojiPart).inOrder } = body;
    return [{ type: 'realm_emoji', op: 'update', realm_emoji: wireEmojiMap(state) }];
  }
}

function allOfThem(_event: unknown, directory: Directory): readonly FeedEntry<Body>[] {
  const body = listOfThen(directory.of(customEmojiPart).inOrder);
  return [{ type: 'realm_emoji', audience: { to: 'everyone' }, body }];
}
