import { Injectable } from '@nestjs/common';
import type { CallbackRequest } from '../../../../providers/answers';
import type { FindResult, Order, OrderCallback, ProviderResult } from '../../../purchases/purchases.provider';
import {
  type BillItem,
  type BillsProvider,
  PaysBills,
  type ValidationQuery,
  type ValidationResult,
} from '../../bills.provider';
import { SandboxBillers } from './sandbox-billers.service';

/** What both sandbox providers do. */
abstract class SandboxPayer implements BillsProvider {
  constructor(
    private readonly name: string,
    private readonly billers: SandboxBillers,
  ) {}

  async validate(query: ValidationQuery): Promise<ValidationResult> {
    return this.billers.validate(query);
  }

  canSell(order: Omit<Order<BillItem>, 'reference'>): boolean | Promise<boolean> {
    return this.billers.canSell(this.name, order);
  }

  purchase(order: Order<BillItem>, signal: AbortSignal): Promise<ProviderResult> {
    return this.billers.purchase(this.name, order, signal);
  }

  find(order: Order<BillItem>, signal: AbortSignal): Promise<FindResult> {
    return this.billers.find(this.name, order, signal);
  }

  verify(callback: CallbackRequest): OrderCallback {
    return this.billers.verify(this.name, callback);
  }
}

/** Asked first in test mode. */
@Injectable()
@PaysBills({ name: 'sandbox', mode: 'test' })
export class SandboxBills extends SandboxPayer {
  constructor(billers: SandboxBillers) {
    super('sandbox', billers);
  }
}

/** Asked when the first one refuses. */
@Injectable()
@PaysBills({ name: 'sandbox_backup', mode: 'test' })
export class SandboxBackupBills extends SandboxPayer {
  constructor(billers: SandboxBillers) {
    super('sandbox_backup', billers);
  }
}
