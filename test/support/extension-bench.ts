import { Logger } from '@nestjs/common';
import { OnHook } from '../../src/core/extension/decorators';
import { ExtensionRegistry } from '../../src/core/extension/extension-registry';
import { PointRunner } from '../../src/core/extension/point-runner';
import type { OnErrorContext } from '../../src/core/extension/points';

/** Hears of every error. */
class ErrorListener {
  readonly heard: OnErrorContext[] = [];

  @OnHook('svc_on_error', { id: 'test.errors' })
  hear(error: OnErrorContext): void {
    this.heard.push(error);
  }
}

export interface ExtensionBench {
  readonly points: PointRunner;
  /** `by code` of every error so far, once all observers have been told. */
  readonly errors: () => Promise<string[]>;
}

/** The points with some extensions, as the service has them, and without the service. */
export function benchOf(...extensions: object[]): ExtensionBench {
  Logger.overrideLogger(false);
  const registry = new ExtensionRegistry();
  const listener = new ErrorListener();
  for (const extension of [listener, ...extensions]) registry.add(extension);
  const points = new PointRunner(registry);
  return {
    points,
    errors: async () => {
      await points.onApplicationShutdown();
      return listener.heard.map(({ error }) => `${error.by} ${error.code}`);
    },
  };
}

export const never = (): Promise<never> => new Promise(() => undefined);

/** Looks like a promise, and throws as soon as somebody waits for it. */
export const throwsAtWaiting = (): object => new Proxy({}, { get: (_, name) => (name === 'then' ? fail : undefined) });

function fail(): never {
  throw new Error('on purpose');
}
