import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeLinkifiersHandler } from './commands/change-linkifiers.js';
import { ChangeRealmHandler } from './commands/change-realm.js';
import { LinkifiersController } from './http/linkifiers.controller.js';
import { RealmController } from './http/realm.controller.js';
import { LinkifierClientEvents } from './linkifiers.client-events.js';
import { ListLinkifiersHandler } from './queries/list-linkifiers.js';
import { RealmClientEvents } from './realm.client-events.js';

/** What the organization decides for everybody. */
@Module({
  imports: [CqrsModule],
  controllers: [RealmController, LinkifiersController],
  providers: [
    ChangeRealmHandler,
    ChangeLinkifiersHandler,
    ListLinkifiersHandler,
    RealmClientEvents,
    LinkifierClientEvents,
  ],
  exports: [RealmClientEvents, LinkifierClientEvents],
})
export class RealmModule {}
