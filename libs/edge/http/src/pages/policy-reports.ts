import type { FastifyInstance } from 'fastify';
import { policyConfig } from '../access.js';
import { network } from '../limits/rate-limits.js';
import type { Logger } from '../logging/logging.js';

/** Path to which browsers report what the content security policy of the chat page has refused. */
export const REPORTS_PATH = '/csp-reports';
/** A browser sends some ten reports together, of about 1 kB each. */
const REPORTS_LIMIT_BYTES = 32 * 1024;
const REPORTS_IN_BODY_MAX = 20;
/** Kinds of reports in one period; what is refused is the same at each load of a page. */
const KINDS_MAX = 200;
/** Those that the callers of one network may add, so that an outsider does not use up all. */
const KINDS_PER_NETWORK_MAX = 10;
const PERIOD_MS = 60 * 60_000;
const WORD_LENGTH_MAX = 100;

/** What was refused: the directive, and the origin or kind (`inline`, `eval`) of what was refused. */
interface Violation {
  readonly directive: string;
  readonly blocked: string;
}

/**
 * Reports of browsers, as lines of the log: each kind once in an hour. Neither addresses with their paths nor samples of scripts
 * are kept, which may be private.
 */
export class PolicyReports {
  readonly #known = new Set<string>();
  /** Kinds that came first from a network. */
  readonly #shares = new Map<string, number>();
  #periodMs = -Infinity;

  constructor(
    private readonly logger: Logger,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  install(fastify: FastifyInstance): void {
    // A scope of its own: no other route reads these types.
    void fastify.register((scope, _options, done) => {
      const types = ['application/csp-report', 'application/reports+json'];
      const limits = { parseAs: 'string', bodyLimit: REPORTS_LIMIT_BYTES } as const;
      scope.addContentTypeParser<string>(types, limits, (_request, body, parsed) => {
        parsed(null, body);
      });
      const config = policyConfig({ access: 'public', enveloped: false });
      scope.post(REPORTS_PATH, { config, bodyLimit: REPORTS_LIMIT_BYTES }, (request, reply) => {
        if (typeof request.body === 'string') this.take(request.body, request.ip);
        void reply.code(204).send();
      });
      done();
    });
  }

  /**
   * @param body as a browser sends it; anything else is ignored
   * @param address of the caller
   */
  take(body: string, address: string): void {
    for (const { directive, blocked } of violationsIn(body)) {
      if (!this.#isNew(`${directive} ${blocked}`, network(address))) continue;
      this.logger.warn({ directive, blocked }, 'A browser reports that the policy of the chat page was broken.');
    }
  }

  #isNew(kind: string, from: string): boolean {
    const nowMs = this.nowMs();
    if (nowMs - this.#periodMs > PERIOD_MS) {
      this.#periodMs = nowMs;
      this.#known.clear();
      this.#shares.clear();
    }
    const share = this.#shares.get(from) ?? 0;
    if (this.#known.has(kind) || this.#known.size >= KINDS_MAX || share >= KINDS_PER_NETWORK_MAX) return false;
    this.#known.add(kind);
    this.#shares.set(from, share + 1);
    return true;
  }
}

function violationsIn(body: string): Violation[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return [];
  }
  const reports: unknown[] = Array.isArray(parsed) ? parsed.slice(0, REPORTS_IN_BODY_MAX) : [parsed];
  return reports.flatMap((report) => {
    // One form per report of the Reporting API, another for `report-uri`.
    const content = fieldsOf(fieldsOf(report)['body'] ?? fieldsOf(report)['csp-report']);
    const directive = content['effectiveDirective'] ?? content['effective-directive'] ?? content['violated-directive'];
    const blocked = content['blockedURL'] ?? content['blocked-uri'];
    return typeof directive === 'string'
      ? [{ directive: wordOf(directive), blocked: originOf(typeof blocked === 'string' ? blocked : '') }]
      : [];
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function originOf(blocked: string): string {
  const url = URL.canParse(blocked) ? new URL(blocked) : undefined;
  if (url === undefined) return wordOf(blocked);
  return wordOf(url.origin === 'null' ? url.protocol : url.origin);
}

function wordOf(text: string): string {
  return text.replaceAll(/[^\w:/.-]/g, ' ').slice(0, WORD_LENGTH_MAX);
}
