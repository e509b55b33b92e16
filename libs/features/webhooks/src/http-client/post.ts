import { lookup } from 'node:dns/promises';
import { request as requestByHttp, type RequestOptions } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP } from 'node:net';
import { textUpTo } from '#kernel';
import type { AddressRules } from './address-rules.js';

/** A message has at most 10,000 characters, of four bytes each, and may be escaped. */
export const ANSWER_LIMIT_BYTES = 256 * 1024;

export interface PostedAnswer {
  readonly status: number;
  readonly text: string;
}

/** The call had no answer that can be used; the message tells the owner of the service why. */
export class CallFailure extends Error {
  /** @param isFinal whether another attempt would fail as well */
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

export interface Post {
  readonly url: URL;
  readonly contentType: string;
  readonly body: string;
  /** Ends the call, whatever it waits for. */
  readonly signal: AbortSignal;
}

/**
 * Posts to an address that users choose. The name is looked up once, and the connection is made to an address that was checked, so a
 * name cannot lead to another network in between. Redirects are not followed, and an answer is read up to a limit.
 * @throws CallFailure
 */
export async function post(rules: AddressRules, { url, contentType, body, signal }: Post): Promise<PostedAnswer> {
  const address = await addressOf(rules, url, signal);
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    signal,
    headers: {
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'accept-encoding': 'identity',
      'user-agent': 'ScrollbackOutgoingWebhook/1',
    },
    lookup: (_name, { all }, found) => {
      if (all === true) found(null, [address]);
      else found(null, address.address, address.family);
    },
  };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestByHttps : requestByHttp;
    const request = send(url, options, (response) => {
      textUpTo(ANSWER_LIMIT_BYTES, response, tooLarge).then(
        (text) => resolve({ status: response.statusCode ?? 0, text }),
        (error: unknown) => {
          request.destroy();
          reject(failureOf(error, signal));
        },
      );
    });
    request.on('error', (error) => reject(failureOf(error, signal)));
    request.end(body);
  });
}

interface Address {
  readonly address: string;
  readonly family: number;
}

async function addressOf(rules: AddressRules, url: URL, signal: AbortSignal): Promise<Address> {
  if (!rules.allowsHost(url)) throw new CallFailure(`This server may not call ${url.host} (WEBHOOK_HOSTS).`, true);
  const name = url.hostname.replaceAll(/^\[|\]$/g, '');
  const family = isIP(name);
  const addresses = family === 0 ? await looked(name, signal) : [{ address: name, family }];
  const [first] = addresses;
  // One of several could be taken for the connection.
  if (first === undefined || !addresses.every(({ address }) => rules.allowsAddress(address)))
    throw new CallFailure(`The address of ${url.host} is in a network that this server may not call.`, true);
  return first;
}

async function looked(name: string, signal: AbortSignal): Promise<readonly Address[]> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener(
      'abort',
      () => reject(new CallFailure('The name of the service could not be looked up in time.', false)),
      {
        once: true,
      },
    );
  });
  try {
    return await Promise.race([lookup(name, { all: true }), ended]);
  } catch (error) {
    throw error instanceof CallFailure ? error : new CallFailure('The name of the service is unknown.', false);
  }
}

function tooLarge(): CallFailure {
  return new CallFailure(`The answer is larger than ${ANSWER_LIMIT_BYTES / 1024} KiB.`, true);
}

function failureOf(error: unknown, { aborted }: AbortSignal): CallFailure {
  if (error instanceof CallFailure) return error;
  return new CallFailure(aborted ? 'The service did not answer in time.' : 'The service cannot be reached.', false);
}
