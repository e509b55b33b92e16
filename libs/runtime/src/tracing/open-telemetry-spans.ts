import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { type OpenSpan, Refusal, type SpanAttributes, Spans } from '#kernel';

/** Where the API keeps what an SDK has registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** Spans of the SDK that the operator has loaded before the server. */
export class OpenTelemetrySpans extends Spans {
  override readonly areOn = true;

  private constructor(private readonly tracer: Tracer) {
    super();
  }

  /**
   * @param version of the server
   * @param warn is told of an SDK that cannot be used
   * @returns undefined when no SDK is registered
   */
  static open(version: string, warn: (text: string) => void): OpenTelemetrySpans | undefined {
    const tracer = trace.getTracer('scrollback', version);
    const probe = tracer.startSpan('start');
    probe.end();
    // Without an SDK, and with one for another version of the API, spans have no identity.
    if (isSpanContextValid(probe.spanContext())) return new OpenTelemetrySpans(tracer);
    const registered = (globalThis as Record<symbol, { readonly version?: string } | undefined>)[REGISTERED];
    if (registered !== undefined)
      warn(`An OpenTelemetry SDK is loaded that registers no tracer here (version ${registered.version} of its API).`);
    return undefined;
  }

  override run<Result>(name: string, work: () => Result, attributes?: SpanAttributes): Result {
    return this.tracer.startActiveSpan(
      name,
      attributes === undefined ? {} : { attributes: { ...attributes } },
      (span) => finished(span, work),
    );
  }

  override runWithin<Result>(name: string, work: () => Result): Result {
    return trace.getSpan(context.active()) === undefined ? work() : this.run(name, work);
  }

  override begin(name: string, headers?: object): OpenSpan {
    const parent = headers === undefined ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, headers);
    const span = this.tracer.startSpan(name, { kind: SpanKind.SERVER, root: headers === undefined }, parent);
    const inside: Context = trace.setSpan(parent, span);
    return {
      within: (work) => context.with(inside, work),
      end: (attributes, isFailure) => {
        span.setAttributes(attributes);
        if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }
}

/** Ends the span with the work, at once or when its promise settles. */
function finished<Result>(span: Span, work: () => Result): Result {
  let result: Result;
  try {
    result = work();
  } catch (error) {
    fail(span, error);
    throw error;
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  result.then(
    () => {
      span.end();
    },
    (error: unknown) => {
      fail(span, error);
    },
  );
  return result;
}

/** The kind of the error alone: its text may repeat what was sent. A refusal is an answer. */
function fail(span: Span, error: unknown): void {
  const type = error instanceof Refusal ? error.code : error instanceof Error ? error.name : typeof error;
  span.setAttribute('error.type', type);
  if (!(error instanceof Refusal)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
