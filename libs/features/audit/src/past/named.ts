import { Injectable } from '@nestjs/common';
import { badRequest } from '#kernel';
import type { Channel } from '#channels/model';
import { Directory } from '#people';
import type { Group } from '#groups/model';
import type { User } from '#users/model';

const ID = /^\d{1,15}$/;

/** What auditors name by ID, or by what it is called now. */
@Injectable()
export class Named {
  constructor(private readonly directory: Directory) {}

  /** @throws Refusal BAD_REQUEST */
  channel(text: string): Channel {
    const { directory } = this;
    const channel = (ID.test(text) ? directory.channel(Number(text)) : undefined) ?? directory.channelByName(text);
    if (channel === undefined) throw badRequest(`There is no channel with the ID or the name '${text}'.`);
    return channel;
  }

  /** By ID, e-mail address or full name. @throws Refusal BAD_REQUEST, also for a name of several users, whose IDs it lists */
  user(text: string): User {
    const { directory } = this;
    const user = (ID.test(text) ? directory.user(Number(text)) : undefined) ?? directory.userByEmail(text);
    if (user !== undefined) return user;
    const named = directory.usersByName(text);
    const [first] = named;
    if (first === undefined) throw badRequest(`There is no user with the ID, the address or the name '${text}'.`);
    const ids = named.map(({ userId }) => userId).join(', ');
    if (named.length > 1) throw badRequest(`Several users have the name '${text}': name one of the IDs ${ids}.`);
    return first;
  }

  /** @throws Refusal BAD_REQUEST */
  group(text: string): Group {
    const { directory } = this;
    const group = (ID.test(text) ? directory.group(Number(text)) : undefined) ?? directory.groupByName(text);
    if (group === undefined) throw badRequest(`There is no group with the ID or the name '${text}'.`);
    return group;
  }
}
