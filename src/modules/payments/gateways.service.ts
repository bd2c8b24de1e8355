import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { marked, requireAdapterName } from '../../core/adapters/marked';
import type { Currency } from '../../core/money/currencies';
import { type GatewaySettings, TAKES } from './payments.provider';
import type { Gateway } from './payments.types';

/** A gateway that this build has. */
export interface NamedGateway extends GatewaySettings {
  readonly gateway: Gateway;
}

/** Every class that is marked with `TakesPayments`. A wrong or double name stops the boot. */
@Injectable()
export class GatewaysService implements OnModuleInit {
  private readonly log = new Logger('payments');
  private readonly gateways = new Map<string, NamedGateway>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { mark, adapter, className } of marked<GatewaySettings, Gateway>(this.discovery, TAKES))
      this.add({ ...mark, gateway: adapter }, className);
    const live = [...this.gateways.values()].filter(({ mode }) => mode === 'live').map(({ name }) => name);
    if (live.length === 0)
      this.log.warn('no gateway takes payments in live mode: such requests are answered with provider_unavailable');
    else this.log.log(`payments are taken in live mode by ${live.join(', ')}`);
  }

  /** By name; null when this build does not have it. */
  find(name: string): NamedGateway | null {
    return this.gateways.get(name) ?? null;
  }

  /** Also null when it is one for the other mode, or not for the currency. */
  findFor(name: string, livemode: boolean, currency: Currency): NamedGateway | null {
    const found = this.find(name);
    if (found === null || (found.mode === 'live') !== livemode) return null;
    return !found.currencies?.length || found.currencies.includes(currency) ? found : null;
  }

  private add(gateway: NamedGateway, className: string): void {
    const { name } = gateway;
    requireAdapterName(name, className);
    if (this.gateways.has(name)) throw new Error(`two gateways are called "${name}"; the second is ${className}`);
    this.gateways.set(name, gateway);
  }
}
