import type { Env } from '../config/env';
import { tracing } from './tracing';

/** Where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; once per process. */
export async function startTracing(env: Env): Promise<void> {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined || tracing.on !== null) return;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  tracing.on = new OpenTelemetry(env);
}

export async function stopTracing(): Promise<void> {
  const running = tracing.on;
  tracing.on = null;
  await running?.close();
}
