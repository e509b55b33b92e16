import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { badRequest, Clock, KeyedMutex, Refusal } from '#kernel';
import { CallServices } from '../call-services.js';
import { type Zoom, ZoomTokenRefused } from './zoom.js';
import type { ZoomTokens } from './token-seal.js';
import { zoomAccountDecider } from './zoom-account.decider.js';
import { ZoomAccountsReader } from './zoom-accounts.reader.js';

/** Tokens are replaced so long before they expire: a request takes time, and clocks differ. */
const MARGIN_SECONDS = 60;

/** Uses users' accounts at Zoom. */
@Injectable()
export class ZoomAccounts {
  /** Zoom takes a token to refresh once, so only one request of a user refreshes. */
  readonly #mutex = new KeyedMutex();

  constructor(
    private readonly services: CallServices,
    private readonly reader: ZoomAccountsReader,
    private readonly runner: CommandRunner,
    private readonly clock: Clock,
  ) {}

  /** @throws Refusal BAD_REQUEST when the operator has not set up Zoom */
  get zoom(): Zoom {
    const { zoom } = this.services;
    if (zoom === undefined) throw badRequest('Zoom credentials have not been configured');
    return zoom;
  }

  async connect(userId: number, tokens: ZoomTokens): Promise<void> {
    const sealed = this.services.seal.seal(userId, tokens);
    await this.#run({ type: 'connect', userId, tokens: sealed });
  }

  /**
   * Does something with the user's account. Without one, and when Zoom does not accept its tokens any more, the user has to
   * connect it again.
   * @throws Refusal INVALID_ZOOM_TOKEN; those of `use` and `Zoom.refreshed`
   */
  async use<Result>(userId: number, use: (tokens: ZoomTokens) => Promise<Result>): Promise<Result> {
    const { sealed, tokens } = await this.#mutex.run(String(userId), () => this.#fresh(userId));
    return this.#unlessRefused(userId, sealed, () => use(tokens));
  }

  async #fresh(userId: number): Promise<{ readonly sealed: string; readonly tokens: ZoomTokens }> {
    const { seal } = this.services;
    const sealed = await this.reader.tokensOf(userId);
    if (sealed === undefined) throw invalidToken();
    return this.#unlessRefused(userId, sealed, async () => {
      const tokens = seal.open(userId, sealed);
      // The server has another secret than when it was sealed.
      if (tokens === undefined) throw new ZoomTokenRefused();
      const at = this.clock.nowSeconds();
      if (tokens.expiresAt - MARGIN_SECONDS > at) return { sealed, tokens };
      const newer = await this.zoom.refreshed(tokens, at);
      const resealed = seal.seal(userId, newer);
      await this.#run({ type: 'refresh', userId, before: sealed, tokens: resealed });
      return { sealed: resealed, tokens: newer };
    });
  }

  async #unlessRefused<Result>(userId: number, sealed: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ZoomTokenRefused)) throw error;
      const events = await this.#run({ type: 'disconnect', userId, before: sealed });
      // Another process has newer tokens.
      if (events.length === 0 && (await this.reader.tokensOf(userId)) !== undefined)
        throw badRequest('Failed to create Zoom call');
      throw invalidToken();
    }
  }

  async #run(command: Request) {
    const at = this.clock.nowSeconds();
    const { events } = await this.runner.run(zoomAccountDecider, streams.zoomAccount(command.userId), {
      ...command,
      at,
    });
    return events;
  }
}

type Request =
  | { readonly type: 'connect'; readonly userId: number; readonly tokens: string }
  | { readonly type: 'refresh'; readonly userId: number; readonly before: string; readonly tokens: string }
  | { readonly type: 'disconnect'; readonly userId: number; readonly before: string };

function invalidToken(): Refusal {
  return new Refusal('INVALID_ZOOM_TOKEN', 'Invalid Zoom access token');
}
