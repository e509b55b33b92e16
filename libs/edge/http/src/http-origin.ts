import { hash } from 'node:crypto';
import type { Origin, RequestOrigin, Visit } from '#kernel';
import { clientVersionOf } from './client-name.js';
import { loggedAddress } from './logging/logged-address.js';
import type { EdgeRequest } from './exchange.js';
import { contextOf } from './request-context.js';

const SESSION_ID_LENGTH = 12;

/** A request over HTTP as where events come from. */
export class HttpOrigin implements RequestOrigin {
  constructor(private readonly request: EdgeRequest) {}

  /** See `requestIds`. */
  get number(): string {
    const { id } = this.request;
    return id.slice(id.indexOf('-') + 1);
  }

  visit(): Visit {
    const { id, headers } = this.request;
    const edge = contextOf(this.request);
    const version = edge.given().client === undefined ? clientVersionOf(headers['user-agent']) : undefined;
    const generation = edge.caller?.apiKey?.generation;
    const address = loggedAddress(edge.address, edge.addresses);
    const session = edge.sessionId ?? (generation === undefined ? undefined : `k${generation}`);
    return {
      client: edge.clientName(),
      ...(version !== undefined && { version }),
      ...(session !== undefined && { session }),
      ...(address !== undefined && { address }),
      requests: id.slice(0, id.indexOf('-')),
    };
  }
}

export function operatorOrigin(request: EdgeRequest): Origin {
  return { by: { kind: 'operator' }, request: new HttpOrigin(request) };
}

/** Names a browser's session. A token cannot be guessed, so nothing about it follows from a part of its hash. */
export function sessionIdOf(token: string): string {
  return `s${hash('sha256', `session ${token}`).slice(0, SESSION_ID_LENGTH)}`;
}
