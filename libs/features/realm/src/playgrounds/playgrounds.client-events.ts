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
import { wirePlaygrounds } from './wire-playgrounds.js';
import type { Playground } from '../model/playgrounds/playgrounds.js';
import { playgroundsPart } from '../model/playgrounds/playgrounds.part.js';
import type { PlaygroundEvent } from '../model/playgrounds/playground.events.js';
import type { realmEventSchemas } from '../realm-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<Pick<typeof realmEventSchemas, 'realm_playgrounds'>>;
type Body = ListOfThen<Playground>;

/** What clients are told of the organization's code playgrounds (events.md §7): always all of them. */
@Injectable()
export class PlaygroundClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<PlaygroundEvent> = {
    'playground.added.v1': allOfThem,
    'playground.removed.v1': allOfThem,
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_playgrounds']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override wholeState({ type }: FeedEntry): WholeState {
    return { name: type, told: 'last' };
  }

  override present({ entry: { body } }: Presentable<Body>): readonly Told[] {
    const { state = this.directory.of(playgroundsPart).inOrder } = body;
    return [{ type: 'realm_playgrounds', realm_playgrounds: wirePlaygrounds(state) }];
  }
}

function allOfThem(_event: unknown, directory: Directory): readonly FeedEntry<Body>[] {
  const body = listOfThen(directory.of(playgroundsPart).inOrder);
  return [{ type: 'realm_playgrounds', audience: { to: 'everyone' }, body }];
}
