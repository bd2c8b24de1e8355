import type { DiscoveryService } from '@nestjs/core';

/** An adapter of the process, by the decorator that it stands under. */
export interface Marked<Mark, Adapter> {
  readonly mark: Mark;
  readonly adapter: Adapter;
  readonly className: string;
}

/** Every instance of the process whose class carries the metadata `key` itself. */
export function marked<Mark, Adapter>(discovery: DiscoveryService, key: string | symbol): Marked<Mark, Adapter>[] {
  return discovery.getProviders().flatMap(({ instance, metatype }) => {
    if (typeof metatype !== 'function' || !instance) return [];
    const mark = Reflect.getOwnMetadata(key, metatype) as Mark | undefined;
    return mark === undefined ? [] : [{ mark, adapter: instance as Adapter, className: metatype.name }];
  });
}

/** Throws when a name cannot stand in tables and metrics. */
export function requireAdapterName(name: string, className: string): void {
  if (!/^[a-z][a-z0-9_]{0,63}$/.test(name))
    throw new Error(`${className}: the name of an adapter is snake_case, not "${name}"`);
}
