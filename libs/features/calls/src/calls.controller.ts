import { randomInt } from 'node:crypto';
import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import { badRequest } from '#kernel';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { object, text } from '#wire';
import { BigBlueButtonParams, ZoomCallParams } from './calls.params.js';
import { CallServices } from './call-services.js';
import { CreateZoomCallCommand } from './zoom/create-zoom-call.js';

/** No two meetings of a server get one number. */
const MEETING_NUMBERS = [100_000_000_000, 281_474_976_710_655] as const;

/** Links to video calls (endpoints.md §12). */
@ApiTags('calls')
@Controller('api/v1/calls')
export class CallsController {
  constructor(
    private readonly services: CallServices,
    private readonly site: Site,
    private readonly commands: CommandBus,
  ) {}

  @Post('zoom/create')
  @Answers(object({ url: text }))
  @Summary('Create a Zoom meeting', "Uses the caller's account at Zoom, which has to be connected before.")
  async zoom(
    @Caller() actor: User,
    @Params(ZoomCallParams) { is_video_call: isVideoCall }: ZoomCallParams,
  ): Promise<{ url: string }> {
    return { url: await this.commands.execute(new CreateZoomCallCommand(actor, isVideoCall)) };
  }

  @Get('bigbluebutton/create')
  @Answers(object({ url: text }))
  @Summary('Create a BigBlueButton meeting', 'The address is a link that anybody with an account can join by.')
  bigBlueButton(
    @Caller() { userId }: User,
    @Params(BigBlueButtonParams) { meeting_name: name, voice_only: isVoiceOnly }: BigBlueButtonParams,
  ): { url: string } {
    const { bigBlueButton, links } = this.services;
    if (bigBlueButton === undefined) throw badRequest('BigBlueButton is not configured.');
    const meetingId = `scrollback-${randomInt(...MEETING_NUMBERS)}`;
    const signed = links.sign({ meetingId, name, isVoiceOnly, moderatorId: userId });
    return { url: `${this.site.url}/calls/bigbluebutton/join?bigbluebutton=${signed}` };
  }
}
