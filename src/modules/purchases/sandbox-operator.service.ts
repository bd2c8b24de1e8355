import { Injectable } from '@nestjs/common';
import type { FindResult, Order, ProviderResult } from './purchases.types';

/** The operator behind every sandbox provider: outcome and delay are in the input, or in the request's scenario. */
@Injectable()
export class SandboxOperator {
  /** Throws `InvalidScenario` (400) for a header that cannot be read. */
  assertScenario(_scenario: string | null): void {
    throw new Error('being built');
  }

  canSell(_provider: string, _order: Omit<Order, 'reference'>): boolean {
    throw new Error('being built');
  }

  sell(_provider: string, _order: Order): Promise<ProviderResult> {
    throw new Error('being built');
  }

  find(_provider: string, _order: Order): Promise<FindResult> {
    throw new Error('being built');
  }
}
