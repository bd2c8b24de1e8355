import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CannotStart } from '../errors/cannot-start';
import { ExtensionRegistry } from './extension-registry';

/** Finds every `@Filter` and `@OnHook` method of the process at its start. What cannot be used stops the boot. */
@Injectable()
export class ExtensionDiscovery implements OnModuleInit {
  private readonly log = new Logger('extensions');

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly registry: ExtensionRegistry,
  ) {}

  onModuleInit(): void {
    const instances = new Set<object>();
    for (const wrapper of [...this.discovery.getProviders(), ...this.discovery.getControllers()]) {
      const instance = wrapper.instance as unknown;
      if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient)
        this.refuse((wrapper.metatype?.prototype ?? null) as object | null);
      // An alias shows the same object again.
      else if (typeof instance === 'object' && instance !== null) instances.add(instance);
    }
    for (const instance of instances) this.registry.add(instance);
    const list = this.registry.all.map(
      ({ point, id, priority, isShadow, place }) => `${point} ${priority} ${id}${isShadow ? ' (shadow)' : ''} ${place}`,
    );
    this.log.log({ message: 'extensions in the order in which they run', extensions: list });
  }

  /** There is no one object to call. */
  private refuse(prototype: object | null): void {
    const [place] = prototype === null ? [] : this.registry.placesIn(prototype);
    if (place !== undefined)
      throw new CannotStart(
        `${place} extends a point, so its class must be a singleton: it is made anew for each request or user.`,
      );
  }
}
