import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Params } from '#http';
import { badRequest } from '#kernel';
import { CHANGEABLE_PERMISSIONS, type SettingsChange, type User } from '#organization';
import { ChangeRealmCommand } from '../commands/change-realm.js';
import type { ChangeRealm } from '../realm.commands.js';
import { ChangeRealmParams } from './realm.params.js';

const LIMITS = [
  'message_content_edit_limit_seconds',
  'message_content_delete_limit_seconds',
  'move_messages_within_stream_limit_seconds',
  'move_messages_between_streams_limit_seconds',
] as const;
const CHOICES = {
  message_edit_history_visibility_policy: ['all', 'moves', 'none'],
  topics_policy: ['allow_empty_topic', 'disable_empty_topic'],
} as const;

/** The organization's settings (endpoints.md §12). */
@ApiTags('organization')
@Controller('api/v1/realm')
export class RealmController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  async change(@Caller() actor: User, @Params(ChangeRealmParams) params: ChangeRealmParams): Promise<void> {
    const asked = { settings: settingsOf(params), permissions: permissionsOf(params) };
    await this.commands.execute(new ChangeRealmCommand(actor, asked));
  }
}

function settingsOf(params: ChangeRealmParams): SettingsChange {
  const { allow_message_editing, enable_read_receipts, moderation_request_channel_id } = params;
  const limits = LIMITS.map((name) => [name, secondsOf(name, params[name])] as const);
  const given = Object.entries({
    allow_message_editing,
    enable_read_receipts,
    moderation_request_channel_id,
    ...Object.fromEntries(limits),
    message_edit_history_visibility_policy: chosen('message_edit_history_visibility_policy', params),
    topics_policy: chosen('topics_policy', params),
  });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function secondsOf(name: string, value: number | string | undefined): number | null | undefined {
  if (value === 'unlimited') return null;
  if (typeof value === 'string') throw badRequest(`Bad value for '${name}': it is a number of seconds or "unlimited"`);
  return value;
}

function chosen<Name extends keyof typeof CHOICES>(
  name: Name,
  params: ChangeRealmParams,
): (typeof CHOICES)[Name][number] | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  const choice = CHOICES[name].find((one) => one === value);
  if (choice === undefined) throw badRequest(`Invalid ${name}. It must be one of: ${CHOICES[name].join(', ')}`);
  return choice;
}

function permissionsOf(params: ChangeRealmParams): ChangeRealm['permissions'] {
  return Object.fromEntries(
    CHANGEABLE_PERMISSIONS.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])),
  );
}
