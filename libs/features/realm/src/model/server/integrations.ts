import { map, object, optional, text, truth } from '#wire';
import type { RealmState } from '../settings/realm-settings.js';

/** Ways to sign in that an organization may turn off, by their names on the wire (register.md §3). */
export type LoginMethod = 'Email' | 'Dev' | 'OpenID Connect';

/** How meetings can be held, by its ID on the wire. */
export interface VideoChatProvider {
  readonly key: string;
  readonly id: number;
  readonly name: string;
}

/** A way to sign in at another system, in wire format (objects.md, "Server settings"). */
export type ExternalLogin = {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: string | null;
  readonly login_url: string;
  readonly signup_url: string;
};

/** Needs nothing of the server: clients open rooms themselves. */
const ALWAYS: readonly VideoChatProvider[] = [
  { key: 'disabled', id: 0, name: 'None' },
  { key: 'jitsi_meet', id: 1, name: 'Jitsi Meet' },
];
export const ZOOM: VideoChatProvider = { key: 'zoom', id: 3, name: 'Zoom' };
export const BIG_BLUE_BUTTON: VideoChatProvider = { key: 'big_blue_button', id: 4, name: 'BigBlueButton' };

/** Everything that clients and settings can name. */
export const VIDEO_CHAT_PROVIDER_IDS: readonly number[] = [...ALWAYS, ZOOM, BIG_BLUE_BUTTON].map(({ id }) => id);

/** What the operator has set up, and organizations can choose among. */
export class Integrations {
  readonly videoChatProviders: readonly VideoChatProvider[];

  /** @param meetings besides what needs no set-up */
  constructor(
    readonly loginMethods: readonly LoginMethod[] = ['Email'],
    meetings: readonly VideoChatProvider[] = [],
    /** The identity provider of OpenID Connect. */
    private readonly openId?: ExternalLogin,
  ) {
    this.videoChatProviders = [...ALWAYS, ...meetings];
  }

  /** Whether the server offers the method, and the organization has not turned it off. */
  allows(directory: Pick<RealmState, 'settings'>, method: LoginMethod): boolean {
    return this.loginMethods.includes(method) && isTurnedOn(directory.settings.authentication_methods, method);
  }

  /** Ways to sign in at other systems that the organization has not turned off. */
  externalLogins(directory: Pick<RealmState, 'settings'>): readonly ExternalLogin[] {
    return this.openId !== undefined && this.allows(directory, 'OpenID Connect') ? [this.openId] : [];
  }

  /** Setting `authentication_methods` in wire format. */
  wireLoginMethods(chosen: Readonly<Record<string, boolean>>): Readonly<Record<string, WireLoginMethod>> {
    return Object.fromEntries(
      this.loginMethods.map((method) => [method, { enabled: isTurnedOn(chosen, method), available: true }]),
    );
  }
}

/** Ways to sign in, by name. */
export const LoginMethodsSchema = map(object({ enabled: truth, available: truth, unavailable_reason: optional(text) }));
export type WireLoginMethod = { readonly enabled: boolean; readonly available: boolean };

/** Methods are on until they are turned off. */
function isTurnedOn(chosen: Readonly<Record<string, boolean>>, method: LoginMethod): boolean {
  return chosen[method] ?? true;
}
