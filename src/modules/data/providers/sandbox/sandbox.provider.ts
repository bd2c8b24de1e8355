import { Injectable } from '@nestjs/common';
import type { FindResult, Order, ProviderResult } from '../../../purchases/purchases.provider';
import { SandboxOperator } from '../../../purchases/sandbox-operator.service';
import type { DataItem } from '../../data-plan';
import { type DataProvider, SellsData } from '../../data.provider';

/** What both sandbox sellers do: the phone number decides the outcome. */
abstract class SandboxSeller implements DataProvider {
  constructor(
    private readonly name: string,
    private readonly operator: SandboxOperator,
  ) {}

  canSell(order: Omit<Order<DataItem>, 'reference'>): boolean {
    return this.operator.canSell(this.name, order);
  }

  purchase(order: Order<DataItem>, signal: AbortSignal): Promise<ProviderResult> {
    return this.operator.sell(this.name, order, signal);
  }

  find(order: Order<DataItem>, signal: AbortSignal): Promise<FindResult> {
    return this.operator.find(this.name, order, signal);
  }
}

/** Asked first in test mode. */
@Injectable()
@SellsData({ name: 'sandbox', mode: 'test' })
export class SandboxData extends SandboxSeller {
  constructor(operator: SandboxOperator) {
    super('sandbox', operator);
  }
}

/** Asked when the first one refuses. */
@Injectable()
@SellsData({ name: 'sandbox_backup', mode: 'test' })
export class SandboxBackupData extends SandboxSeller {
  constructor(operator: SandboxOperator) {
    super('sandbox_backup', operator);
  }
}
