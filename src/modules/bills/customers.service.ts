import { Injectable, Logger } from '@nestjs/common';
import { within } from '../../core/process/within';
import type { Viewer } from '../../core/resources/resources';
import { Providers } from '../purchases/providers';
import type { Biller } from './biller.entity';
import { BillerUnavailable } from './bills.errors';
import type { BillsProvider } from './bills.provider';
import type { CustomerFound, ValidationQuery, ValidationResult } from './bills.types';

const ANSWER_WITHIN_MS = 10_000;

/** Who said it, and what; null: the biller does not know the customer. */
export interface CustomerAnswer {
  readonly provider: string;
  readonly customer: CustomerFound | null;
}

/** Asks providers about the customers of billers. */
@Injectable()
export class CustomersService {
  private readonly log = new Logger('bills');

  constructor(private readonly providers: Providers) {}

  /** Asks one provider after the other until one reaches the biller: a question may be repeated. Throws `BillerUnavailable`. */
  async find(viewer: Viewer, { code, name, enabled }: Biller, query: ValidationQuery): Promise<CustomerAnswer> {
    const providers = enabled ? await this.providers.inOrder('bills', code, viewer) : [];
    for (const { name: provider, provider: asked } of providers) {
      const result = await this.ask(provider, asked as BillsProvider, query);
      if (result.outcome !== 'unavailable') return { provider, customer: result.outcome === 'found' ? result : null };
    }
    throw new BillerUnavailable(name);
  }

  private async ask(name: string, provider: BillsProvider, query: ValidationQuery): Promise<ValidationResult> {
    try {
      return await within(ANSWER_WITHIN_MS, (signal) => provider.validate(query, signal));
    } catch (error) {
      this.log.warn({
        message: 'a provider did not answer',
        provider: name,
        call: 'validate',
        biller: query.billerCode,
        err: error,
      });
      return { outcome: 'unavailable' };
    }
  }
}
