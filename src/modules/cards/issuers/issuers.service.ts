import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Breakers } from '../../../providers/breakers';
import { marked, requireAdapterName } from '../../../providers/marked';
import type { Viewer } from '../../../core/resources/resources';
import { Routes } from '../../../providers/routes';
import { type Brand, type CardIssuer, type IssuerOptions, ISSUES } from '../card-issuer';

/** Every issuer of the process, found by its decorator. Two with one name stop the boot. */
@Injectable()
export class IssuersService implements OnModuleInit {
  private readonly log = new Logger('cards');
  private readonly issuers = new Map<string, IssuerOptions & { readonly issuer: CardIssuer }>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly routes: Routes,
    private readonly breakers: Breakers,
  ) {}

  onModuleInit(): void {
    for (const { mark, adapter } of marked<IssuerOptions, CardIssuer>(this.discovery, ISSUES)) this.add(mark, adapter);
    const live = [...this.issuers.values()].filter(({ mode }) => mode === 'live').map(({ name }) => name);
    if (live.length === 0)
      this.log.warn('nobody issues cards in live mode: such requests are answered with provider_unavailable');
    else this.log.log(`cards are issued in live mode by ${live.join(', ')}`);
  }

  add(options: IssuerOptions, issuer: CardIssuer): void {
    const { name } = options;
    requireAdapterName(name, issuer.constructor.name);
    if (this.issuers.has(name)) throw new Error(`two issuers are called "${name}"`);
    this.issuers.set(name, { ...options, issuer });
  }

  /** By name; null when this build does not have it, or only for the other mode. */
  find(name: string, livemode: boolean): CardIssuer | null {
    const found = this.issuers.get(name);
    return found && (found.mode === 'live') === livemode ? found.issuer : null;
  }

  /** Names of the issuers that this build has and the routes list, in their order, whose breaker is closed. */
  async inOrder(brand: Brand, { livemode, accountId }: Viewer): Promise<string[]> {
    const asked = { product: 'cards', network: brand, livemode } as const;
    const names = (await this.routes.inOrder(asked)).map(({ provider }) => provider);
    return names.filter(
      (provider) => this.find(provider, livemode) !== null && this.breakers.isClosed({ ...asked, provider, accountId }),
    );
  }
}
