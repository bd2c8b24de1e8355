import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { ISSUES, type IssuerOptions } from './cards.provider';
import type { Brand } from './cards.types';
import type { CardIssuer } from './issuers.types';

/** Every issuer of the process, found by its decorator. Two with one name stop the boot. */
@Injectable()
export class IssuersService implements OnModuleInit {
  private readonly log = new Logger('cards');
  private readonly issuers = new Map<string, IssuerOptions & { readonly issuer: CardIssuer }>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    for (const { instance, metatype } of this.discovery.getProviders()) {
      if (typeof metatype !== 'function' || !instance) continue;
      const options = Reflect.getOwnMetadata(ISSUES, metatype) as IssuerOptions | undefined;
      if (options) this.add(options, instance as CardIssuer);
    }
    const live = [...this.issuers.values()].filter(({ mode }) => mode === 'live').map(({ name }) => name);
    if (live.length === 0) this.log.warn('nobody issues cards in live mode: such requests are answered with provider_unavailable');
    else this.log.log(`cards are issued in live mode by ${live.join(', ')}`);
  }

  add(options: IssuerOptions, issuer: CardIssuer): void {
    const { name } = options;
    if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`an issuer's name is snake_case, not "${name}"`);
    if (this.issuers.has(name)) throw new Error(`two issuers are called "${name}"`);
    this.issuers.set(name, { ...options, issuer });
  }

  /** By name; null when this build does not have it, or only for the other mode. */
  find(name: string, livemode: boolean): CardIssuer | null {
    const found = this.issuers.get(name);
    return found && (found.mode === 'live') === livemode ? found.issuer : null;
  }

  /** Names of the issuers that this build has and the table `provider_routes` lists, in its order; a brand's own rows before those of `*`. */
  async inOrder(brand: Brand, livemode: boolean): Promise<string[]> {
    const rows: { provider: string }[] = await this.dataSource.query(
      `SELECT provider FROM provider_routes
        WHERE product = 'cards' AND livemode = $2 AND enabled AND network = CASE
          WHEN EXISTS (SELECT FROM provider_routes WHERE product = 'cards' AND livemode = $2 AND network = $1) THEN $1 ELSE '*' END
        ORDER BY position, provider`,
      [brand, livemode],
    );
    return rows.map(({ provider }) => provider).filter((name) => this.find(name, livemode) !== null);
  }
}
