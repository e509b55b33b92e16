import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController, Caller, Page, Params, RedirectReply } from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { CallServices } from './call-services.js';
import { JoinMeetingParams } from './calls.params.js';

const PATH = 'calls/bigbluebutton/join';

/** The page that links to meetings lead to. People join by the names of their accounts. */
@ApiExcludeController()
@Page()
@Controller()
export class JoinMeetingController {
  constructor(private readonly services: CallServices) {}

  @Get(PATH)
  async join(
    @Caller() caller: User | undefined,
    @Params(JoinMeetingParams) { bigbluebutton: signed }: JoinMeetingParams,
  ): Promise<RedirectReply> {
    const { bigBlueButton, links } = this.services;
    if (bigBlueButton === undefined) throw badRequest('BigBlueButton is not configured.');
    const meeting = links.read(signed);
    if (meeting === undefined) throw badRequest('This link to a meeting is not valid.');
    if (caller === undefined)
      return new RedirectReply(`/login/?next=${encodeURIComponent(`/${PATH}?bigbluebutton=${signed}`)}`);
    await bigBlueButton.create(meeting);
    const { userId, fullName } = caller;
    const isModerator = userId === meeting.moderatorId;
    return new RedirectReply(bigBlueButton.joinAddress(meeting, { userId, fullName, isModerator }));
  }
}
