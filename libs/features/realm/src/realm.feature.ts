import { defineFeature } from '#feature';
import { organizationParts } from '#organization';
import { DomainClientEvents } from './domains/domains.client-events.js';
import { LinkifierClientEvents } from './linkifiers/linkifiers.client-events.js';
import { PlaygroundClientEvents } from './playgrounds/playgrounds.client-events.js';
import { RealmClientEvents } from './realm.client-events.js';
import { RealmModule } from './realm.module.js';
import { LinkifierFields, RealmFields, RealmListFields } from './register/realm.fields.js';
import { linkifiersPart } from './model/linkifiers/linkifiers.part.js';
import { playgroundsPart } from './model/playgrounds/playgrounds.part.js';
import { domainsPart } from './model/domains/domains.part.js';

/** The organization: its settings, linkifiers, domains and code playgrounds, and the events of the stream that it shares with users and channels. */
export const realm = defineFeature({
  name: 'realm',
  directory: [domainsPart, playgroundsPart, linkifiersPart, ...organizationParts],
  clientEvents: [RealmClientEvents, LinkifierClientEvents, DomainClientEvents, PlaygroundClientEvents],
  register: [RealmFields, LinkifierFields, RealmListFields],
  module: RealmModule,
});
