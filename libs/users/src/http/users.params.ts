import { Type } from 'typebox';
import { boolean, json, Param, text } from '#http';

const GRAVATAR_ALIASES = ['client_extavatar'] as const;

export class FetchUserParams {
  @Param(boolean(), { aliases: GRAVATAR_ALIASES, default: true })
  client_gravatar!: boolean;

  @Param(boolean(), { default: false })
  include_custom_profile_fields!: boolean;
}

export class ListUsersParams extends FetchUserParams {
  @Param(json(Type.Array(Type.Integer(), { maxItems: 10_000 })), {
    optional: true,
    description: 'Only these users.',
  })
  user_ids?: number[];
}

export class CreateUserParams {
  @Param(text({ max: 254 }))
  email!: string;

  @Param(text({ max: 1000 }))
  password!: string;

  @Param(text({ max: 1000 }))
  full_name!: string;
}

export class FetchApiKeyParams {
  @Param(text({ max: 254 }))
  username!: string;

  @Param(text({ max: 1000 }))
  password!: string;
}
