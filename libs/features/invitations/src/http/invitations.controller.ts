import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { list, object, text } from '#wire';
import { ChangeInvitationsCommand } from '../commands/change-invitations.js';
import type { AskedTerms } from '../invitations.commands.js';
import { addressesIn } from '../invitees.js';
import { JoinLinks } from '../join-links.js';
import { ListInvitationsQuery } from '../list-invitations.js';
import type { WireInvitation } from '../wire-invitation.js';
import { InviteLinkParams, InviteParams } from './invitations.params.js';
import { InvitationSchema } from '../wire-invitation.js';

/** Invitations (endpoints.md §11). */
@ApiTags('invitations')
@Controller('api/v1/invites')
export class InvitationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly links: JoinLinks,
  ) {}

  @Get()
  @Answers(object({ invites: list(InvitationSchema) }))
  @Summary('List invitations', "The caller's own; for administrators, all.")
  async list(@Caller() viewer: User): Promise<{ invites: readonly WireInvitation[] }> {
    return { invites: await this.queries.execute(new ListInvitationsQuery(viewer)) };
  }

  @Post()
  @Answers()
  @Summary('Invite people by mail', 'Each address gets a link to join by.')
  async invite(@Caller() actor: User, @Params(InviteParams) params: InviteParams): Promise<void> {
    const { invitee_emails, notify_referrer_on_join: notifiesInviter } = params;
    const asked = {
      actorId: actor.userId,
      addresses: addressesIn(invitee_emails),
      notifiesInviter,
      terms: termsOf(params),
    };
    await this.commands.execute(new ChangeInvitationsCommand(actor, { type: 'send-invitations', ...asked }));
  }

  @Post('multiuse')
  @Answers(object({ invite_link: text }))
  @Summary('Create a link to join by', 'It can be used any number of times until it ends.')
  async link(
    @Caller() actor: User,
    @Params(InviteLinkParams) params: InviteLinkParams,
  ): Promise<{ invite_link: string }> {
    const asked = { type: 'create-invitation-link', actorId: actor.userId, terms: termsOf(params) } as const;
    const [created] = await this.commands.execute(new ChangeInvitationsCommand(actor, asked));
    if (created?.type !== 'invitation-link.created.v1') throw new Error('A link was accepted and not made.');
    return { invite_link: this.links.multiuse(created.data.invitationId) };
  }

  @Delete('multiuse/:invite_id')
  @Answers()
  @Summary('Revoke a link to join by', 'For its maker and administrators.')
  async revokeLink(@Caller() actor: User, @PathId('invite_id') invitationId: number): Promise<void> {
    const asked = { type: 'revoke-invitation', actorId: actor.userId, invitationId, isLink: true } as const;
    await this.commands.execute(new ChangeInvitationsCommand(actor, asked));
  }

  @Delete(':invite_id')
  @Answers()
  @Summary('Revoke an invitation', 'For the inviter and administrators.')
  async revoke(@Caller() actor: User, @PathId('invite_id') invitationId: number): Promise<void> {
    const asked = { type: 'revoke-invitation', actorId: actor.userId, invitationId, isLink: false } as const;
    await this.commands.execute(new ChangeInvitationsCommand(actor, asked));
  }

  @Post(':invite_id/resend')
  @Answers()
  @Summary('Send an invitation again', 'For the inviter and administrators.')
  async resend(@Caller() actor: User, @PathId('invite_id') invitationId: number): Promise<void> {
    await this.commands.execute(
      new ChangeInvitationsCommand(actor, { type: 'resend-invitation', actorId: actor.userId, invitationId }),
    );
  }
}

function termsOf(params: InviteParams | InviteLinkParams): AskedTerms {
  return {
    role: params.invite_as,
    channelIds: params.stream_ids,
    groupIds: params.group_ids,
    includesDefaults: params.include_realm_default_subscriptions,
    welcome: params.welcome_message_custom_text ?? null,
    expiresInMinutes: params.invite_expires_in_minutes,
  };
}
