import { Injectable } from '@nestjs/common';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { Directory, linkifierEventTypes } from '#organization';
import { wireLinkifiers } from './wire-linkifiers.js';

/** What clients are told of the organization's linkifiers (events.md §7): always all of them, as they are now. */
@Injectable()
export class LinkifierClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set(linkifierEventTypes.map(({ name }) => name));
  override readonly types: ReadonlySet<string> = new Set(['realm_linkifiers']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override derive(): readonly FeedEntry[] {
    return [{ type: 'realm_linkifiers', audience: { to: 'everyone' }, body: {} }];
  }

  override present(_entry: Presentable, { settings }: Recipient): readonly ClientEvent[] {
    // Others would take the template for an older kind of address.
    if (!settings.capabilities.includes('linkifier_url_template')) return [];
    return [{ type: 'realm_linkifiers', realm_linkifiers: wireLinkifiers(this.directory) }];
  }
}
