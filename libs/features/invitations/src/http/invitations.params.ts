import { Type } from 'typebox';
import { boolean, integer, json, nullable, Param, Shape, text } from '#http';
import { ROLE } from '#users/model';
import { IsIn, Max, MaxCharacters, Min } from '#validation';

/** How long an invitation lasts that says nothing else: ten days. */
const VALID_MINUTES = 14_400;
/** Ten years. */
const VALID_MINUTES_MAX = 5_256_000;
/** As many addresses as can be invited on a day, of the usual length. */
const ADDRESSES_LENGTH_MAX = 100_000;
const WELCOME_LENGTH_MAX = 8_000;

const ROLES = Object.values(ROLE);
const AreIds = Shape(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 1_000 }));

class TermsParams {
  @Param(nullable(integer()), { default: VALID_MINUTES, description: 'null: it never expires.' })
  @Min(1)
  @Max(VALID_MINUTES_MAX)
  invite_expires_in_minutes!: number | null;

  @Param(integer(), { default: ROLE.member })
  @IsIn(ROLES)
  invite_as!: number;

  @Param(json(), { default: [], description: 'Groups that the new user joins.' })
  @AreIds
  group_ids!: number[];

  @Param(boolean(), { default: false, description: 'Also the default channels, as they are then.' })
  include_realm_default_subscriptions!: boolean;

  @Param(nullable(text()), {
    optional: true,
    description: 'Markdown that the welcome bot sends: absent for the text of the organization, empty for none.',
  })
  @MaxCharacters(WELCOME_LENGTH_MAX)
  welcome_message_custom_text?: string | null;
}

export class InviteParams extends TermsParams {
  @Param(text(), { description: 'E-mail addresses, separated by commas or line breaks.' })
  @MaxCharacters(ADDRESSES_LENGTH_MAX)
  invitee_emails!: string;

  @Param(json(), { description: 'Channels that the new user is subscribed to.' })
  @AreIds
  stream_ids!: number[];

  @Param(boolean(), { default: true, description: 'Tell the inviter when the account exists.' })
  notify_referrer_on_join!: boolean;
}

export class InviteLinkParams extends TermsParams {
  @Param(json(), { default: [], description: 'Channels that new users are subscribed to.' })
  @AreIds
  stream_ids!: number[];
}
