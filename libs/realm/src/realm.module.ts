import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeRealmHandler } from './commands/change-realm.js';
import { RealmController } from './http/realm.controller.js';
import { RealmClientEvents } from './realm.client-events.js';

/** What the organization decides for everybody. */
@Module({
  imports: [CqrsModule],
  controllers: [RealmController],
  providers: [ChangeRealmHandler, RealmClientEvents],
  exports: [RealmClientEvents],
})
export class RealmModule {}
