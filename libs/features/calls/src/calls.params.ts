import { boolean, Param, text } from '#http';
import { MaxCharacters, MinCharacters } from '#validation';

export class ZoomCallParams {
  @Param(boolean(), { default: true, description: 'With video; otherwise voices alone.' })
  is_video_call!: boolean;
}

export class BigBlueButtonParams {
  @Param(text(), { description: 'Name of the meeting.' })
  @MaxCharacters(200)
  @MinCharacters(1)
  meeting_name!: string;

  @Param(boolean(), { default: false, description: 'Cameras stay off.' })
  voice_only!: boolean;
}

export class JoinMeetingParams {
  @Param(text(), { description: 'The link, signed.' })
  @MaxCharacters(4000)
  bigbluebutton!: string;
}
