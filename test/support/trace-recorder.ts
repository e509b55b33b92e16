import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  type ContextManager,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';

/** A span that has ended. */
export interface RecordedSpan {
  readonly name: string;
  readonly id: string;
  readonly traceId: string;
  readonly parentId: string | undefined;
  readonly attributes: Attributes;
  readonly isFailure: boolean;
}

/** What an SDK registers, as small as it can be: keeps spans in memory, and the current one through asynchronous work. */
export class TraceRecorder {
  readonly ended: RecordedSpan[] = [];

  register(): this {
    context.setGlobalContextManager(new LocalContexts());
    trace.setGlobalTracerProvider({ getTracer: () => this.#tracer() });
    propagation.setGlobalPropagator({
      inject: () => undefined,
      fields: () => ['traceparent'],
      extract: (at, carrier: { readonly traceparent?: string }) => {
        const [, traceId = '', spanId = ''] = carrier.traceparent?.split('-') ?? [];
        return traceId === '' ? at : trace.setSpanContext(at, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
      },
    });
    return this;
  }

  unregister(): void {
    trace.disable();
    context.disable();
    propagation.disable();
  }

  /** Names of the spans below one, each with those below it. */
  below(parentId: string): readonly [name: string, below: unknown][] {
    return this.ended
      .filter((span) => span.parentId === parentId)
      .map(({ name, id }) => [name, this.below(id)] as const)
      .map(([name, below]) => [name, below]);
  }

  #tracer(): Tracer {
    const startSpan: Tracer['startSpan'] = (name, options = {}, at = context.active()) =>
      this.#begin(name, options, at);
    return {
      startSpan,
      startActiveSpan: (name: string, ...rest: unknown[]) => {
        const work = rest.at(-1) as (span: Span) => unknown;
        const span = startSpan(name, rest.length > 1 ? (rest[0] as SpanOptions) : {});
        return context.with(trace.setSpan(context.active(), span), () => work(span));
      },
    };
  }

  #begin(name: string, { root = false, attributes: given = {} }: SpanOptions, at: Context): Span {
    const parent = root ? undefined : trace.getSpanContext(at);
    const own = {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: TraceFlags.SAMPLED,
    };
    const attributes: Attributes = { ...given };
    let isFailure = false;
    const span = {
      spanContext: () => own,
      setAttribute: (key: string, value: string) => (attributes[key] = value),
      setAttributes: (more: Attributes) => Object.assign(attributes, more),
      setStatus: ({ code }: { code: SpanStatusCode }) => (isFailure = code === SpanStatusCode.ERROR),
      end: () => {
        const { traceId, spanId: id } = own;
        this.ended.push({ name, id, traceId, parentId: parent?.spanId, attributes, isFailure });
      },
    };
    return span as unknown as Span;
  }
}

class LocalContexts implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<Args extends unknown[], Work extends (...args: Args) => ReturnType<Work>>(
    at: Context,
    work: Work,
    thisArg?: ThisParameterType<Work>,
    ...args: Args
  ): ReturnType<Work> {
    return this.#storage.run(at, () => work.call(thisArg, ...args));
  }

  bind<Work>(_at: Context, work: Work): Work {
    return work;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}
