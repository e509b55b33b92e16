import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '#messages';
import { CallService } from './call-service.js';
import { WebhookFollowUp } from './webhook-follow-up.js';

/** Services of outgoing webhook bots. */
@Global()
@Module({ imports: [CqrsModule, MessagesModule], providers: [CallService, WebhookFollowUp] })
export class WebhooksModule {}
