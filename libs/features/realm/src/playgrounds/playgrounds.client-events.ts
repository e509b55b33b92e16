import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type WholeState } from '#feed';
import { Directory } from '#people';
import { wirePlaygrounds } from './wire-playgrounds.js';
import type { PlaygroundEvent } from '../model/playgrounds/playground.events.js';
import type { realmEventSchemas } from '../realm-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<Pick<typeof realmEventSchemas, 'realm_playgrounds'>>;

/** What clients are told of the organization's code playgrounds (events.md §7): always all of them, as they are now. */
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

  override present(): readonly Told[] {
    return [{ type: 'realm_playgrounds', realm_playgrounds: wirePlaygrounds(this.directory) }];
  }
}

function allOfThem(): readonly FeedEntry[] {
  return [{ type: 'realm_playgrounds', audience: { to: 'everyone' }, body: {} }];
}
