import type { RowPlace } from '../export-row.js';
import type { Merged } from '../merge.js';

/** An address as mail has it. */
export interface Address {
  readonly name: string;
  readonly address: string;
}

/** Addresses of what has none: nobody can ever own this domain. */
export const DOMAIN = 'scrollback.invalid';

/** What IDs stood for at the end of the export. */
export class Names {
  constructor(private readonly merged: Pick<Merged, 'users' | 'channels'>) {}

  user(id: number | undefined): string {
    if (id === undefined) return '';
    return this.merged.users.get(id)?.full_name ?? `user ${id}`;
  }

  address(id: number): Address {
    return { name: this.user(id), address: this.merged.users.get(id)?.email ?? `user-${id}@${DOMAIN}` };
  }

  channel(id: number): string {
    return this.merged.channels.get(id)?.name ?? `channel ${id}`;
  }

  /** A place for people to read. */
  place({ channel_id: channel, topic = '', users = [] }: RowPlace): string {
    if (channel !== undefined) return `#${this.channel(channel)} > ${topic}`;
    return users.map(({ user_id: id }) => this.user(id)).join(', ');
  }
}

/** Seconds since the epoch in ISO form, in UTC. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
