import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { encodeId } from '../../core/http/ids';
import { WorkUnderWay } from '../../core/process/work-under-way';
import { TransactionsService } from '../transactions/transactions.service';
import { AskingService } from './asking.service';
import type { IssuingCard } from './card-issuing.types';
import { CardSettlement } from './card-settlement.service';
import type { Card } from './card.entity';
import { CustomersService } from './customers.service';

/** Carries a card from its hold to an end, or to the next question. */
@Injectable()
export class CardRunner implements BeforeApplicationShutdown {
  private readonly log = new Logger('cards');
  private readonly underWay = new WorkUnderWay();

  constructor(
    private readonly asking: AskingService,
    private readonly settlement: CardSettlement,
    private readonly customers: CustomersService,
    private readonly transactions: TransactionsService,
  ) {}

  /** Asks the issuer for the card. Never throws: what a fault leaves undone is found by the sweeper. */
  run(issuing: IssuingCard): Promise<void> {
    return this.track(this.order(issuing), issuing.card);
  }

  /** Asks the issuer of a pending card what became of it; one that it never heard of is ordered again, under the same reference. */
  async ask(card: Card): Promise<void> {
    const transaction = await this.transactions.require(card, encodeId('txn', card.transactionId));
    const found = await this.asking.find(card);
    if (found.outcome !== 'not_known') return this.settlement.conclude({ card, transaction }, 'find', found);
    await this.settlement.note(card, 'find', found);
    return this.order({ card, transaction });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  private async order(issuing: IssuingCard): Promise<void> {
    const customer = await this.customers.require(issuing.card, issuing.card.customerId);
    await this.settlement.conclude(issuing, 'issue', await this.asking.issue(issuing.card, customer));
  }

  private track(work: Promise<void>, { id }: Card): Promise<void> {
    return this.underWay.add(
      work.catch((error: unknown) =>
        this.log.error({ message: 'a card was left to the sweeper', card: id, err: error }),
      ),
    );
  }
}
