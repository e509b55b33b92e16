import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { ChangeDomainsHandler } from './commands/change-domains.js';
import { ChangeLinkifiersHandler } from './commands/change-linkifiers.js';
import { ChangePlaygroundsHandler } from './commands/change-playgrounds.js';
import { ChangeRealmHandler } from './commands/change-realm.js';
import { DeactivateOrganizationHandler } from './commands/deactivate-organization.js';
import { TestWelcomeMessageHandler } from './commands/test-welcome-message.js';
import { DomainClientEvents } from './domains/domains.client-events.js';
import { DomainsController } from './http/domains.controller.js';
import { LinkifiersController } from './http/linkifiers.controller.js';
import { PlaygroundsController } from './http/playgrounds.controller.js';
import { RealmController } from './http/realm.controller.js';
import { LinkifierClientEvents } from './linkifiers/linkifiers.client-events.js';
import { PlaygroundClientEvents } from './playgrounds/playgrounds.client-events.js';
import { ListDomainsHandler } from './queries/list-domains.js';
import { ListLinkifiersHandler } from './queries/list-linkifiers.js';
import { RealmClientEvents } from './realm.client-events.js';
import { RecordUpgrade } from './record-upgrade.js';
import { LinkifierFields, RealmFields, RealmListFields } from './register/realm.fields.js';

const CLIENT_STATE = [
  DomainClientEvents,
  LinkifierClientEvents,
  PlaygroundClientEvents,
  RealmClientEvents,
  LinkifierFields,
  RealmFields,
  RealmListFields,
];

/** Settings and linkifiers of the organization. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [RealmController, LinkifiersController, DomainsController, PlaygroundsController],
  providers: [
    ChangeDomainsHandler,
    ChangeLinkifiersHandler,
    ChangePlaygroundsHandler,
    ChangeRealmHandler,
    DeactivateOrganizationHandler,
    ListDomainsHandler,
    ListLinkifiersHandler,
    RecordUpgrade,
    TestWelcomeMessageHandler,
    ...CLIENT_STATE,
  ],
  exports: CLIENT_STATE,
})
export class RealmModule {}
