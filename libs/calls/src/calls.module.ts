import { Module } from '@nestjs/common';
import { CallsController } from './calls.controller.js';
import { JoinMeetingController } from './join-meeting.controller.js';

/** Video calls. Their servers come from the composition root. */
@Module({ controllers: [CallsController, JoinMeetingController] })
export class CallsModule {}
