import type { DiscoveryService } from '@nestjs/core';
import { hasItsSettings } from '../core/config/env';

/** An adapter of the process, by the decorator that it stands under. */
export interface Marked<Mark, Adapter> {
  readonly mark: Mark;
  readonly adapter: Adapter;
  readonly className: string;
}

/** Every instance of the process whose class carries the metadata `key` itself, and has the settings that it needs. */
export function marked<Mark, Adapter>(discovery: DiscoveryService, key: string | symbol): Marked<Mark, Adapter>[] {
  return discovery.getProviders().flatMap(({ instance, metatype }) => {
    if (typeof metatype !== 'function' || !instance) return [];
    const mark = Reflect.getOwnMetadata(key, metatype) as Mark | undefined;
    return mark === undefined || !hasItsSettings(metatype)
      ? []
      : [{ mark, adapter: instance as Adapter, className: metatype.name }];
  });
}

/** Throws when a name cannot stand in tables and metrics. */
export function requireAdapterName(name: string, className: string): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
    throw new Error(`${className}: the name of an adapter is snake_case, not "${name}"`);
}
