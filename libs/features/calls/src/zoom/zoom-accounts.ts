import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import { badRequest, Clock, type Origin, Refusal } from '#kernel';
import { CallServices } from '../call-services.js';
import { type Zoom, ZoomTokenRefused } from './zoom.js';
import type { ZoomTokens } from './token-seal.js';
import { zoomAccountDecider } from './zoom-account.decider.js';
import { ZoomAccountsReader } from './zoom-accounts.reader.js';

/** Tokens are replaced so long before they expire: a request takes time, and clocks differ. */
const MARGIN_SECONDS = 60;
/** Each begins with tokens that another request or process has replaced meanwhile. */
const ATTEMPTS_MAX = 3;

interface FreshTokens {
  readonly sealed: string;
  readonly tokens: ZoomTokens;
}

/** Uses users' accounts at Zoom. */
@Injectable()
export class ZoomAccounts {
  /** Refreshes under way by the tokens that they replace: Zoom accepts those once, so requests of a user share one. */
  readonly #refreshes = new Map<string, Promise<FreshTokens>>();

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

  async connect(userId: number, tokens: ZoomTokens, origin: Origin): Promise<void> {
    const sealed = this.services.seal.seal(userId, tokens);
    await this.#run({ type: 'connect', userId, tokens: sealed }, origin);
  }

  /**
   * Does something with the user's account. Without one, and when Zoom does not accept its tokens any more, the user has to
   * connect it again.
   * @throws Refusal INVALID_ZOOM_TOKEN; those of `use` and `Zoom.refreshed`
   */
  async use<Result>(userId: number, use: (tokens: ZoomTokens) => Promise<Result>, origin: Origin): Promise<Result> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      let sealed = await this.reader.tokensOf(userId);
      if (sealed === undefined) throw new Refusal('INVALID_ZOOM_TOKEN', 'Invalid Zoom access token');
      try {
        const fresh = await this.#fresh(userId, sealed, origin);
        sealed = fresh.sealed;
        return await use(fresh.tokens);
      } catch (error) {
        if (!(error instanceof ZoomTokenRefused)) throw error;
        // Nothing happens when the tokens were replaced meanwhile: then the newer ones are used.
        await this.#run({ type: 'disconnect', userId, before: sealed }, origin);
      }
    }
    throw badRequest('Failed to create Zoom call');
  }

  async #fresh(userId: number, sealed: string, origin: Origin): Promise<FreshTokens> {
    const tokens = this.services.seal.open(userId, sealed);
    // The server has another secret than when it was sealed.
    if (tokens === undefined) throw new ZoomTokenRefused();
    if (tokens.expiresAt - MARGIN_SECONDS > this.clock.nowSeconds()) return { sealed, tokens };
    let refresh = this.#refreshes.get(sealed);
    if (refresh === undefined) {
      refresh = this.#refresh(userId, sealed, tokens, origin).finally(() => this.#refreshes.delete(sealed));
      this.#refreshes.set(sealed, refresh);
    }
    return refresh;
  }

  async #refresh(userId: number, before: string, tokens: ZoomTokens, origin: Origin): Promise<FreshTokens> {
    const newer = await this.zoom.refreshed(tokens, this.clock.nowSeconds());
    const sealed = this.services.seal.seal(userId, newer);
    await this.#run({ type: 'refresh', userId, before, tokens: sealed }, origin);
    return { sealed, tokens: newer };
  }

  async #run(command: Request, origin: Origin) {
    const at = this.clock.nowSeconds();
    const stream = streams.zoomAccount(command.userId);
    const { events } = await this.runner.run(zoomAccountDecider, stream, { ...command, at }, origin);
    return events;
  }
}

type Request =
  | { readonly type: 'connect'; readonly userId: number; readonly tokens: string }
  | { readonly type: 'refresh'; readonly userId: number; readonly before: string; readonly tokens: string }
  | { readonly type: 'disconnect'; readonly userId: number; readonly before: string };
