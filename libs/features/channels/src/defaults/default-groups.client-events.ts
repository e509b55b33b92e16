import { Injectable } from '@nestjs/common';
import {
  type Audience,
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type ListOfThen,
  listOfThen,
  type Presentable,
  type Recipient,
  type WholeState,
} from '#feed';
import { Directory } from '#people';
import { ROLE, type UserChanged } from '#users/model';
import type { ChannelChanged } from '../model/channels/channel.events.js';
import { type DefaultGroupSchema, wireDefaultGroups, type defaultGroupEventSchemas } from './wire-default-group.js';
import type { DefaultGroupEvent } from '../model/default-groups/default-group.events.js';
import { defaultGroupsPart } from '../model/default-groups/default-groups.part.js';
import type { Wire, WireEvent } from '#wire';

type Told = WireEvent<typeof defaultGroupEventSchemas>;

interface Body extends ListOfThen<Wire<typeof DefaultGroupSchema>> {
  /** The recipient became a guest, or is none any more: then guests are told that they have none. */
  readonly isNewRole: boolean;
}

/** Client events about default channel groups (events.md §5): always all of them. */
@Injectable()
export class DefaultGroupClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<DefaultGroupEvent | ChannelChanged | UserChanged> = {
    'default-channel-group.created.v1': toldToMembers,
    'default-channel-group.changed.v1': toldToMembers,
    'default-channel-group.removed.v1': toldToMembers,
    'channel.changed.v1': ({ data: { channelId, privacy, isArchived } }, directory) => {
      if (privacy === undefined && isArchived === undefined) return [];
      return directory.of(defaultGroupsPart).all.some(({ channelIds }) => channelIds.includes(channelId))
        ? toldToMembers(undefined, directory)
        : [];
    },
    'user.changed.v1': ({ data: { userId, role } }, directory) => {
      if (role === undefined || role.from >= ROLE.guest === role.to >= ROLE.guest) return [];
      return directory.of(defaultGroupsPart).all.length === 0
        ? []
        : [allOfThem(directory, { to: 'users', ids: [userId] }, true)];
    },
  };
  override readonly types: ReadonlySet<string> = new Set(['default_stream_groups']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override wholeState({ type, body: { isNewRole } }: FeedEntry<Body>): WholeState {
    // Only those of a new role tell guests that there are none for them.
    return { name: isNewRole ? `${type} for a new role` : type, told: 'last' };
  }

  override present({ entry: { body } }: Presentable<Body>, { user }: Recipient): readonly Told[] {
    const isGuest = user.role >= ROLE.guest;
    if (isGuest && !body.isNewRole) return [];
    const default_stream_groups = isGuest ? [] : (body.state ?? wireDefaultGroups(this.directory));
    return [{ type: 'default_stream_groups', default_stream_groups }];
  }
}

function toldToMembers(_event: unknown, directory: Directory): readonly FeedEntry<Body>[] {
  return [allOfThem(directory, { to: 'everyone' }, false)];
}

function allOfThem(directory: Directory, audience: Audience, isNewRole: boolean): FeedEntry<Body> {
  const body = { isNewRole, ...listOfThen(wireDefaultGroups(directory)) };
  return { type: 'default_stream_groups', audience, body };
}
