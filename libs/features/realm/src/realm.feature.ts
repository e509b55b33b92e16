import { defineFeature } from '#feature';
import { changeDomains } from './commands/change-domains.js';
import { changeLinkifiers } from './commands/change-linkifiers.js';
import { changePlaygrounds } from './commands/change-playgrounds.js';
import { changeRealm } from './commands/change-realm.js';
import { deactivateOrganization } from './commands/deactivate-organization.js';
import { testWelcomeMessage } from './commands/test-welcome-message.js';
import { DomainClientEvents } from './domains/domains.client-events.js';
import { DomainsController } from './http/domains.controller.js';
import { LinkifiersController } from './http/linkifiers.controller.js';
import { PlaygroundsController } from './http/playgrounds.controller.js';
import { RealmController } from './http/realm.controller.js';
import { LinkifierClientEvents } from './linkifiers/linkifiers.client-events.js';
import { domainsPart } from './model/domains/domains.part.js';
import { linkifiersPart } from './model/linkifiers/linkifiers.part.js';
import { playgroundsPart } from './model/playgrounds/playgrounds.part.js';
import { organizationPart, realmPart } from './model/realm.part.js';
import { PlaygroundClientEvents } from './playgrounds/playgrounds.client-events.js';
import { listDomains } from './queries/list-domains.js';
import { listLinkifiers } from './queries/list-linkifiers.js';
import { RealmClientEvents } from './realm.client-events.js';
import { RecordUpgrade } from './record-upgrade.js';
import { LinkifierFields, RealmFields, RealmListFields } from './register/realm.fields.js';
import { realmEventSchemas } from './realm-events.schema.js';
import { realmFieldSchemas } from './register/realm-fields.schema.js';

/** The organization: its settings, linkifiers, domains and code playgrounds, and the events of the stream that it shares with users and channels. */
export const realm = defineFeature({
  name: 'realm',
  directory: [organizationPart, realmPart, domainsPart, playgroundsPart, linkifiersPart],
  clientEvents: [RealmClientEvents, LinkifierClientEvents, DomainClientEvents, PlaygroundClientEvents],
  eventSchemas: [realmEventSchemas],
  register: [RealmFields, LinkifierFields, RealmListFields],
  registerSchemas: [realmFieldSchemas],
  commands: [
    changeDomains,
    changeLinkifiers,
    changePlaygrounds,
    changeRealm,
    deactivateOrganization,
    testWelcomeMessage,
  ],
  queries: [listDomains, listLinkifiers],
  controllers: [RealmController, LinkifiersController, DomainsController, PlaygroundsController],
  providers: [RecordUpgrade],
});
