import { createHmac } from 'node:crypto';
import { isSameSecret } from '#kernel';
import type { Meeting } from './big-blue-button.js';

/** A meeting that a link opens. */
export interface LinkedMeeting extends Meeting {
  /** User who created the link, and moderates the meeting. */
  readonly moderatorId: number;
}

/** Signs links to meetings, so that nobody can make one to another meeting of the same server. */
export class MeetingLinks {
  constructor(private readonly secret: string) {}

  sign(meeting: LinkedMeeting): string {
    const { meetingId, name, isVoiceOnly, moderatorId } = meeting;
    const text = Buffer.from(JSON.stringify([meetingId, name, isVoiceOnly, moderatorId])).toString('base64url');
    return `${text}.${this.#signatureOf(text)}`;
  }

  /** @returns undefined for what is not signed by this server */
  read(signed: string): LinkedMeeting | undefined {
    const [text = '', signature = ''] = signed.split('.');
    if (!isSameSecret(signature, this.#signatureOf(text))) return undefined;
    const [meetingId, name, isVoiceOnly, moderatorId] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [
      string,
      string,
      boolean,
      number,
    ];
    return { meetingId, name, isVoiceOnly, moderatorId };
  }

  #signatureOf(text: string): string {
    return createHmac('sha256', this.secret).update(`meeting:${text}`).digest('base64url');
  }
}
