import { Injectable } from '@nestjs/common';
import { Env } from '../core/config/env';
import { DomainError } from '../core/errors/domain-error';
import { EvictionPolicy } from '../core/queue/eviction-policy';
import { Floats } from './floats';
import { Registry } from './registry';
import { Routes, type StoredRoute } from './routes';

export const READINESS_ITEMS = ['providers', 'routes', 'answers', 'floats', 'metrics', 'queue'] as const;

/** Something that must be so before real money moves, and whether it is. */
export interface ReadinessItem {
  readonly item: (typeof READINESS_ITEMS)[number];
  /** What it is about: a provider, a route; null: all of it. */
  readonly about: string | null;
  readonly isReady: boolean;
  /** A sentence for the operator. */
  readonly says: string;
}

/** Live mode would answer with errors, or fail unseen. */
class NotReadyForLive extends DomainError {
  constructor(missing: readonly ReadinessItem[]) {
    super({
      code: 'not_ready_for_live',
      kind: 'conflict',
      title: 'Not ready for live mode',
      recovery: 'account_must_act',
      detail: missing.map(({ says }) => says).join(' '),
    });
  }
}

const keyOf = ({ product, provider }: Pick<StoredRoute, 'product' | 'provider'>): string => `${product}/${provider}`;

/** The list that is gone through before an account has live mode. */
@Injectable()
export class Readiness {
  constructor(
    private readonly registry: Registry,
    private readonly routes: Routes,
    private readonly floats: Floats,
    private readonly env: Env,
    private readonly eviction: EvictionPolicy,
  ) {}

  /** Throws `NotReadyForLive` with all that is missing. */
  async require(): Promise<void> {
    const missing = (await this.list()).filter(({ isReady }) => !isReady);
    if (missing.length > 0) throw new NotReadyForLive(missing);
  }

  /** Asks every live provider something harmless, too. */
  async list(): Promise<ReadinessItem[]> {
    const live = this.registry.listLive();
    const routes = (await this.routes.list()).filter(({ livemode, enabled }) => livemode && enabled);
    const names = [...new Set(live.map(({ name }) => name))];
    return [
      {
        item: 'providers',
        about: null,
        isReady: live.length > 0,
        says:
          live.length > 0
            ? `${names.join(', ')} have their settings.`
            : 'No live provider has its settings: see docs/providers and npm run duka -- provider:list.',
      },
      ...this.routed(
        live.map(({ product, name }) => ({ product, provider: name })),
        routes,
      ),
      ...(await Promise.all(names.map((name) => this.answering(name)))),
      ...(await this.funded(names)),
      {
        item: 'metrics',
        about: null,
        isReady: this.env.METRICS_TOKEN !== undefined,
        says:
          this.env.METRICS_TOKEN === undefined
            ? 'METRICS_TOKEN is not set: nobody can be alarmed from outside.'
            : 'Metrics can be read from outside.',
      },
      ...(await this.queued()),
    ];
  }

  /** PostgreSQL, where it carries the queues, evicts nothing. */
  private async queued(): Promise<ReadinessItem[]> {
    if (this.env.REDIS_URL === undefined) return [];
    const policy = await this.eviction.read();
    const isReady = policy === 'noeviction';
    const says = isReady
      ? 'Redis keeps every job.'
      : `Redis may evict jobs: its maxmemory-policy is ${policy ?? 'not known'}, and must be noeviction.`;
    return [{ item: 'queue', about: null, isReady, says }];
  }

  /** Each live provider is named by a route, and each route names one that is there. */
  private routed(
    live: readonly Pick<StoredRoute, 'product' | 'provider'>[],
    routes: readonly StoredRoute[],
  ): ReadinessItem[] {
    const [offered, named] = [new Set(live.map(keyOf)), new Set(routes.map(keyOf))];
    const item = (about: string, isReady: boolean, says: string): ReadinessItem => ({
      item: 'routes',
      about,
      isReady,
      says,
    });
    return [
      ...[...offered].map((key) =>
        item(key, named.has(key), named.has(key) ? `${key} has a route.` : `${key} has no route: nobody asks it.`),
      ),
      ...[...named]
        .filter((key) => !offered.has(key))
        .map((key) => item(key, false, `A live route names ${key}, which is not there.`)),
    ];
  }

  private async answering(name: string): Promise<ReadinessItem> {
    const { isFine, says } = await this.floats.check(name);
    return { item: 'answers', about: name, isReady: isFine, says: `${name}: ${says}` };
  }

  /** Where a provider has told of our money there. */
  private async funded(names: readonly string[]): Promise<ReadinessItem[]> {
    const floats = (await this.floats.list()).filter(({ provider, at }) => names.includes(provider) && at !== null);
    return floats.map(({ provider, currency, floor, isLow }) => ({
      item: 'floats',
      about: `${provider}/${currency}`,
      isReady: floor !== null && !isLow,
      says:
        floor === null
          ? `${provider} has no floor in ${currency}: npm run duka -- provider:floor.`
          : isLow
            ? `Our money at ${provider} is below its floor in ${currency}.`
            : `Our money at ${provider} is above its floor in ${currency}.`,
    }));
  }
}
