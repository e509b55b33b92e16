import { randomInt } from 'node:crypto';
import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags, Caller, Params } from '#http';
import { badRequest } from '#kernel';
import { Site, type User } from '#organization';
import { BigBlueButtonParams, ZoomCallParams } from './calls.params.js';
import { CallServices } from './call-services.js';

/** No two meetings of a server get one number. */
const MEETING_NUMBERS = [100_000_000_000, 281_474_976_710_655] as const;

/** Links to video calls (endpoints.md §12). */
@ApiTags('calls')
@Controller('api/v1/calls')
export class CallsController {
  constructor(
    private readonly services: CallServices,
    private readonly site: Site,
  ) {}

  /** This server has no access to Zoom. */
  @Post('zoom/create')
  zoom(@Params(ZoomCallParams) _params: ZoomCallParams): void {
    throw badRequest('Zoom credentials have not been configured');
  }

  @Get('bigbluebutton/create')
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
