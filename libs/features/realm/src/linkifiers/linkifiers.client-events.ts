import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type ListOfThen,
  listOfThen,
  type Presentable,
  type Recipient,
  type WholeState,
} from '#feed';
import { Directory } from '#people';
import { wireLinkifiers } from './wire-linkifiers.js';
import type { ConfiguredLinkifier } from '../model/linkifiers/linkifiers.js';
import { linkifiersPart } from '../model/linkifiers/linkifiers.part.js';
import type { LinkifierEvent } from '../model/linkifiers/linkifier.events.js';
import type { realmEventSchemas } from '../realm-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<Pick<typeof realmEventSchemas, 'realm_linkifiers'>>;
type Body = ListOfThen<ConfiguredLinkifier>;

/** Client events about the organization's linkifiers (events.md §7): always the whole list. */
@Injectable()
export class LinkifierClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<LinkifierEvent> = {
    'linkifier.added.v1': allOfThem,
    'linkifier.changed.v1': allOfThem,
    'linkifier.removed.v1': allOfThem,
    'linkifiers.reordered.v1': allOfThem,
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_linkifiers']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override wholeState({ type }: FeedEntry): WholeState {
    return { name: type, told: 'last' };
  }

  override present({ entry: { body } }: Presentable<Body>, { settings }: Recipient): readonly Told[] {
    // Other clients would take the template for an older kind of address.
    if (!settings.capabilities.includes('linkifier_url_template')) return [];
    const { state = this.directory.of(linkifiersPart).inOrder } = body;
    return [{ type: 'realm_linkifiers', realm_linkifiers: wireLinkifiers(state) }];
  }
}

function allOfThem(_event: unknown, directory: Directory): readonly FeedEntry<Body>[] {
  const body = listOfThen(directory.of(linkifiersPart).inOrder);
  return [{ type: 'realm_linkifiers', audience: { to: 'everyone' }, body }];
}
