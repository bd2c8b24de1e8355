import { Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { InsufficientScope } from '../errors/domain-error';
import { type Caller, hasScope, type Tenant } from '../http/caller';
import { encodeId } from '../http/ids';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import type { ScopeName } from '../../vocabulary/scopes';

const PRESENTS = 'duka:presents';

/** Whose view of a resource is wanted; `scopes` limit what it shows of other resources. */
export type Viewer = Tenant & Partial<Pick<Caller, 'scopes'>>;

export interface PresentOptions {
  /** Show what is masked in most answers: for viewers that asked for it and may see it. */
  readonly withSecrets?: boolean;
  /** As it stood at an event. */
  readonly at?: { readonly id: string; readonly number: string; readonly snapshot: object | null };
}

/** Shows a resource as its own route does; throws `NotFound` when the viewer has no such thing. */
export type Presenter = (viewer: Viewer, id: string, options?: PresentOptions) => Promise<object>;

interface Presentation {
  readonly prefix: IdPrefix;
  readonly scope: ScopeName;
  /** The method itself shows things as they stood at an event; else the event's snapshot is laid over what it shows. */
  readonly knowsThePast: boolean;
}

/**
 * Marks the method of a provider that presents the resources of a prefix, and names the scope that reading one asks
 * for.
 */
export const Presents = (prefix: IdPrefix, scope: ScopeName, { knowsThePast = false } = {}): MethodDecorator =>
  SetMetadata(PRESENTS, { prefix, scope, knowsThePast } satisfies Presentation);

/** Turns an id into the object that the API shows, without knowing the modules. */
@Injectable()
export class Resources implements OnModuleInit {
  private readonly presenters = new Map<
    IdPrefix,
    Presentation & { readonly present: Presenter; readonly place: string }
  >();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly reflector: Reflector,
  ) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (instance === null || typeof instance !== 'object') continue;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object))
        this.register(instance as Record<string, Presenter>, name);
    }
  }

  async present(viewer: Viewer, prefix: IdPrefix, id: string, options?: PresentOptions): Promise<object> {
    const presenter = this.presenters.get(prefix);
    if (presenter === undefined) throw new Error(`nothing presents ${encodeId(prefix, id)}`);
    const object = await presenter.present(viewer, id, options);
    return presenter.knowsThePast ? object : { ...object, ...options?.at?.snapshot };
  }

  /** Whether things of a prefix can be shown by their id. */
  isPresented(prefix: IdPrefix): boolean {
    return this.presenters.has(prefix);
  }

  /** Whether a key may read resources of a prefix on their own route. */
  isReadable(caller: Pick<Caller, 'scopes'>, prefix: IdPrefix): boolean {
    const scope = this.presenters.get(prefix)?.scope;
    return caller.scopes === null || (scope !== undefined && hasScope(caller, scope));
  }

  /** Throws `InsufficientScope`. */
  requireReadable(caller: Pick<Caller, 'scopes'>, prefix: IdPrefix): void {
    if (!this.isReadable(caller, prefix)) throw new InsufficientScope(this.presenters.get(prefix)?.scope ?? prefix);
  }

  /** Prefixes of all that a key may read; null: of everything. */
  readableBy(caller: Pick<Caller, 'scopes'>): IdPrefix[] | null {
    return caller.scopes === null
      ? null
      : [...this.presenters.keys()].filter((prefix) => this.isReadable(caller, prefix));
  }

  private register(instance: Record<string, Presenter>, name: string): void {
    const method = instance[name]!;
    const presentation = this.reflector.get<Presentation | undefined>(PRESENTS, method);
    if (presentation === undefined) return;
    const { prefix } = presentation;
    const place = `${instance.constructor.name}.${name}`;
    const twin = this.presenters.get(prefix);
    if (twin) throw new Error(`two methods present "${prefix}": ${twin.place} and ${place}`);
    this.presenters.set(prefix, { ...presentation, present: method.bind(instance), place });
  }
}
