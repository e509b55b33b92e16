import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { RunGroupCommandHandler } from './commands/run-group-command.js';
import { GroupNotices } from './group-notices.js';
import { GroupClientEvents } from './groups.client-events.js';
import { GroupMembersController } from './http/group-members.controller.js';
import { GroupsController } from './http/groups.controller.js';
import { GroupFields } from './register/group.fields.js';

/** User groups and their members. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [GroupsController, GroupMembersController],
  providers: [GroupClientEvents, GroupFields, GroupNotices, RunGroupCommandHandler],
  exports: [GroupClientEvents, GroupFields],
})
export class GroupsModule {}
