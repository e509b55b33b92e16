import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { CallService } from './call-service.js';
import { WebhookFollowUp } from './webhook-follow-up.js';

/** Services of outgoing webhook bots. */
@Module({ imports: [CqrsModule, MessagesModule], providers: [CallService, WebhookFollowUp] })
export class WebhooksModule {}
