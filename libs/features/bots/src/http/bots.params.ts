import { Type } from 'typebox';
import { boolean, integer, json, Param, Shape, text, unquoted } from '#http';
import { ROLE } from '#users/model';
import { IsIn, MaxCharacters } from '#validation';

const Config = Shape(Type.Record(Type.String(), Type.String()));
const TEXT_LENGTH_MAX = 2000;
/** Names that are slightly too long get their own refusal text later. */
const NAME_LENGTH_MAX = 1000;

/** Default channels, by name; an empty name stands for none. */
class DefaultChannelParams {
  @Param(text(), { optional: true })
  @MaxCharacters(NAME_LENGTH_MAX)
  default_sending_stream?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(NAME_LENGTH_MAX)
  default_events_register_stream?: string;

  @Param(boolean(), { optional: true })
  default_all_public_streams?: boolean;

  @Param(json(), { optional: true })
  @Config
  config_data?: Record<string, string>;
}

export class CreateBotParams extends DefaultChannelParams {
  @Param(text())
  @MaxCharacters(NAME_LENGTH_MAX)
  full_name!: string;

  @Param(text())
  @MaxCharacters(NAME_LENGTH_MAX)
  short_name!: string;

  @Param(integer(), { default: 1 })
  bot_type!: number;

  @Param(unquoted(), {
    default: '',
    description: 'Service that an outgoing webhook bot calls, if the server may call its host.',
  })
  @MaxCharacters(TEXT_LENGTH_MAX)
  payload_url!: string;

  @Param(text(), { optional: true })
  @MaxCharacters(NAME_LENGTH_MAX)
  service_name?: string;

  @Param(integer(), { default: 1 })
  interface_type!: number;
}

export class ChangeBotParams extends DefaultChannelParams {
  @Param(text(), { optional: true })
  @MaxCharacters(NAME_LENGTH_MAX)
  full_name?: string;

  @Param(integer(), { optional: true })
  @IsIn(Object.values(ROLE))
  role?: number;

  @Param(integer(), { optional: true })
  bot_owner_id?: number;

  @Param(unquoted(), { optional: true })
  @MaxCharacters(TEXT_LENGTH_MAX)
  service_payload_url?: string;

  @Param(integer(), { optional: true })
  service_interface?: number;
}
