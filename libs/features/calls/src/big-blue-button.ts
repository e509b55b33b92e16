import { hash as digest } from 'node:crypto';
import { Refusal, ServiceReports } from '#kernel';

/** Timeout of a request to the server of meetings. */
const TIMEOUT_MS = 10_000;
/** Maximum size of an answer; usual ones have some hundred bytes. */
const ANSWER_LIMIT_BYTES = 64 * 1024;

export interface BigBlueButtonSettings {
  /** Address of the server, with a slash at its end. */
  readonly url: string;
  /** Signs requests. */
  readonly secret: string;
}

export interface Meeting {
  readonly meetingId: string;
  readonly name: string;
  /** Whether cameras stay off. */
  readonly isVoiceOnly: boolean;
}

export interface Participant {
  readonly userId: number;
  readonly fullName: string;
  readonly isModerator: boolean;
}

/** A server of meetings, by BigBlueButton's interface: each request is signed with a secret that both know. */
export class BigBlueButton {
  constructor(
    private readonly settings: BigBlueButtonSettings,
    private readonly reports = new ServiceReports(),
  ) {}

  /**
   * Creates the meeting, unless it exists.
   * @throws Refusal BAD_REQUEST when the server of meetings cannot be reached, or refuses
   */
  async create({ meetingId, name, isVoiceOnly }: Meeting): Promise<void> {
    const answer = await this.#ask(
      this.#address('create', {
        meetingID: meetingId,
        name,
        lockSettingsDisableCam: String(isVoiceOnly),
      }),
    );
    if (/<returncode>\s*SUCCESS\s*<\/returncode>/.test(answer)) return;
    const code = /<messageKey>\s*(\w{1,50})\s*<\/messageKey>/.exec(answer)?.[1];
    this.reports.failed('BigBlueButton', Object.assign(new Error('The server of meetings has refused.'), { code }));
    throw failed('The server of meetings has refused.');
  }

  /** Where a browser joins the meeting. */
  joinAddress({ meetingId }: Meeting, { userId, fullName, isModerator }: Participant): string {
    return this.#address('join', {
      meetingID: meetingId,
      fullName,
      userID: String(userId),
      role: isModerator ? 'MODERATOR' : 'VIEWER',
    });
  }

  #address(call: string, parameters: Readonly<Record<string, string>>): string {
    const query = new URLSearchParams(parameters).toString();
    const checksum = digest('sha256', `${call}${query}${this.settings.secret}`);
    return `${this.settings.url}api/${call}?${query}&checksum=${checksum}`;
  }

  async #ask(address: string): Promise<string> {
    try {
      const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        if (text.length > ANSWER_LIMIT_BYTES) throw failed('The answer of the server of meetings is too large.');
      }
      return text;
    } catch (error) {
      this.reports.failed('BigBlueButton', error);
      throw error instanceof Refusal ? error : failed('Error connecting to the BigBlueButton server.');
    }
  }
}

function failed(message: string): Refusal {
  return new Refusal('BAD_REQUEST', message);
}
