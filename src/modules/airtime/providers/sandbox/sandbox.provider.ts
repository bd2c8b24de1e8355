import { Injectable } from '@nestjs/common';
import type { FindResult, Order, ProviderResult } from '../../../purchases/purchases.provider';
import { SandboxOperator } from '../../../purchases/sandbox-operator.service';
import { type AirtimeItem, type AirtimeProvider, SellsAirtime } from '../../airtime.provider';

/** What both sandbox sellers do: the phone number decides the outcome. */
abstract class SandboxSeller implements AirtimeProvider {
  constructor(
    private readonly name: string,
    private readonly operator: SandboxOperator,
  ) {}

  canSell(order: Omit<Order<AirtimeItem>, 'reference'>): boolean {
    return this.operator.canSell(this.name, order);
  }

  purchase(order: Order<AirtimeItem>, signal: AbortSignal): Promise<ProviderResult> {
    return this.operator.sell(this.name, order, signal);
  }

  find(order: Order<AirtimeItem>, signal: AbortSignal): Promise<FindResult> {
    return this.operator.find(this.name, order, signal);
  }
}

/** Asked first in test mode. */
@Injectable()
@SellsAirtime({ name: 'sandbox', mode: 'test' })
export class SandboxAirtime extends SandboxSeller {
  constructor(operator: SandboxOperator) {
    super('sandbox', operator);
  }
}

/** Asked when the first one refuses. */
@Injectable()
@SellsAirtime({ name: 'sandbox_backup', mode: 'test' })
export class SandboxBackupAirtime extends SandboxSeller {
  constructor(operator: SandboxOperator) {
    super('sandbox_backup', operator);
  }
}
