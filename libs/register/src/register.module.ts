import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { PublicDataController } from './http/public-data.controller.js';
import { RegisterController } from './http/register.controller.js';
import { Registration } from './registration.js';

/** How a client starts: its queue and its state. The composition root provides `StillReads` and `EventQueues`. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [PublicDataController, RegisterController],
  providers: [Registration],
})
export class RegisterModule {}
