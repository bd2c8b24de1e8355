import {
  type Attributes,
  context,
  type Context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import type { Env } from '../config/env';
import type { Step, Traced, TracedRequest, Tracing } from './tracing';

/** Sent at the end of a process, and no longer: a collector that is away keeps nobody. */
const CLOSE_MS = 3_000;
const EVERY_MS = 1_000;

const KINDS = { client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** The root of a request's trace has ids that follow from the request's; all else is random. */
class Ids implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private next: { traceId: string; spanId: string } | null = null;

  generateSpanId(): string {
    return this.next?.spanId ?? this.random.generateSpanId();
  }

  generateTraceId(): string {
    return this.next?.traceId ?? this.random.generateTraceId();
  }

  within<T>(requestId: string, start: () => T): T {
    this.next = { traceId: traceIdOfRequest(requestId), spanId: rootOf(requestId) };
    try {
      return start();
    } finally {
      this.next = null;
    }
  }
}

/** The trace of a request has the request's own id, by which whatever follows from it finds its trace. */
const traceIdOfRequest = (requestId: string): string => requestId.replaceAll('-', '');

/** The last 16 digits of a uuid: never all zeros. */
const rootOf = (requestId: string): string => traceIdOfRequest(requestId).slice(16);

/** Spans with the OpenTelemetry SDK, sent by OTLP over HTTP. */
export class OpenTelemetry implements Tracing {
  private readonly roots = new Ids();
  private readonly sampler: Sampler;
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(env: Env) {
    const service = env.OTEL_SERVICE_NAME ?? (env.WORKER_IN_API ? 'duka-worker' : 'duka-api');
    this.sampler = samplerOf(env);
    this.provider = new TracerProvider({
      resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
      sampler: this.sampler,
      idGenerator: this.roots,
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: EVERY_MS })],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(this.provider);
    this.tracer = this.provider.getTracer('duka');
    this.traceStatements();
  }

  request({ id, publicId, method, traceparent }: Parameters<Tracing['request']>[0]): TracedRequest {
    const links = linksTo(traceparent);
    const attributes = { 'http.request.method': method, 'duka.request_id': publicId };
    const span = this.roots.within(id, () =>
      this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes, links, root: true }, ROOT_CONTEXT),
    );
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    return {
      id: traceIdOfRequest(id),
      run: (work) => context.with(inside, work),
      end: (route, status) => {
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  run<T>(step: Step, work: (traced: Traced | null) => Promise<T>): Promise<T> {
    const under = context.active();
    if (!step.isRoot && trace.getSpan(under) === undefined) return work(null);
    return this.within(under, step, work);
  }

  async later<T>(
    { requestId, waits = [], ...step }: Parameters<Tracing['later']>[0],
    work: (traced: Traced | null) => Promise<T>,
  ): Promise<T> {
    const parent = requestId === null ? ROOT_CONTEXT : this.contextOf(requestId, step.name);
    for (const { name, from, to } of waits)
      this.tracer.startSpan(name, { startTime: from }, parent).end(to < from ? from : to);
    return this.within(parent, step, work);
  }

  ids(): ReturnType<Tracing['ids']> {
    const span = trace.getActiveSpan()?.spanContext();
    return span && { trace_id: span.traceId, span_id: span.spanId };
  }

  async close(): Promise<void> {
    const closed = this.provider.shutdown().catch(() => undefined);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
  }

  private async within<T>(parent: Context, step: Step, work: (traced: Traced) => Promise<T>): Promise<T> {
    const { name, kind = 'internal', attributes } = step;
    const span = this.tracer.startSpan(name, { kind: KINDS[kind], attributes: attributes as Attributes }, parent);
    try {
      return await context.with(trace.setSpan(parent, span), () => work(tracedBy(span)));
    } catch (error) {
      // Its message may say what somebody sent.
      fail(span, nameOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  /** As if its request, of another process, had just asked: whether it is sampled follows from its id. */
  private contextOf(requestId: string, name: string): Context {
    const traceId = traceIdOfRequest(requestId);
    const { decision } = this.sampler.shouldSample(ROOT_CONTEXT, traceId, name, SpanKind.SERVER, {}, []);
    const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId: rootOf(requestId),
      traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
      isRemote: true,
    });
  }

  /** All that goes through TypeORM: what is asked, never with which values. */
  private traceStatements(): void {
    const { prototype } = PostgresQueryRunner;
    const query = Reflect.get(prototype, 'query') as (...all: unknown[]) => Promise<unknown>;
    const run = this.run.bind(this);
    prototype.query = function (this: PostgresQueryRunner, text: string, ...rest: unknown[]) {
      const ask = () => query.call(this, text, ...rest);
      return run(statement(text), ask);
    } as typeof prototype.query;
  }
}

/** The first table and the verb: there are few, and none is a value. */
function statement(text: string): Step {
  const verb = /\b(SELECT|INSERT|UPDATE|DELETE|START|COMMIT|ROLLBACK)\b/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const table = /\b(?:FROM|INTO|UPDATE)\s+"?([a-z_]+)/i.exec(text)?.[1];
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': verb,
    ...(table && { 'db.collection.name': table }),
  };
  return { name: table ? `${verb} ${table}` : verb, kind: 'client', attributes };
}

const tracedBy = (span: Span): Traced => {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
    note: (attributes) => void span.setAttributes(attributes),
    fail: (code) => fail(span, code),
  };
};

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
}

/** Anybody may send any `traceparent`: followed, it would decide what is sampled, and mix the traces of strangers. */
function linksTo(traceparent: string | undefined): Link[] {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  const linked = { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16), isRemote: true };
  return traceId !== undefined && trace.isSpanContextValid(linked) ? [{ context: linked }] : [];
}

/** `OTEL_TRACES_SAMPLER` with its argument, as the specification of OpenTelemetry has them. */
function samplerOf({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Env): Sampler {
  const samplers: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(OTEL_TRACES_SAMPLER_ARG),
  };
  return new ParentBasedSampler({ root: samplers[OTEL_TRACES_SAMPLER.replace('parentbased_', '')]!() });
}
