import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { timeOf } from '../../core/http/ids';
import { Presents, type Viewer } from '../../core/resources/resources';
import {
  type Happening,
  TimelineService,
  type TimelineSource,
  type TimelineSubject,
} from '../transactions/timeline.service';
import { CardTransactionDto } from './card-transaction.dto';
import { CardTransactionsService } from './card-transactions.service';
import { CardDto } from './card.dto';
import { CardsService } from './cards.service';
import { CustomerDto } from './customers/customer.dto';
import { CustomersService } from './customers/customers.service';

interface CallRow {
  readonly id: string;
  readonly issuer: string;
  readonly call: 'issue' | 'find';
  readonly outcome: string;
  readonly code: string | null;
  readonly message: string | null;
}

const SELECT_CALLS = `
  SELECT id, issuer, call, outcome, code, message FROM issuer_calls
   WHERE account_id = $1 AND livemode = $2 AND card_id = $3 AND call IN ('issue', 'find') ORDER BY id`;

/**
 * Cards, what happened on them and who holds them, as their own account sees them; and what its timeline tells of a
 * card.
 */
@Injectable()
export class CardResources implements TimelineSource, OnModuleInit {
  constructor(
    private readonly cards: CardsService,
    private readonly cardTransactions: CardTransactionsService,
    private readonly customers: CustomersService,
    private readonly timelines: TimelineService,
    private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  @Presents('crd', 'cards:read')
  async card(viewer: Viewer, id: string): Promise<CardDto> {
    return CardDto.of(await this.cards.require(viewer, id));
  }

  @Presents('ctx', 'cards:read')
  async cardTransaction(viewer: Viewer, id: string): Promise<CardTransactionDto> {
    return CardTransactionDto.of(await this.cardTransactions.require(viewer, id));
  }

  @Presents('cus', 'cards:read')
  async customer(viewer: Viewer, id: string): Promise<CustomerDto> {
    return CustomerDto.of(await this.customers.require(viewer, id));
  }

  /** What its issuer said, for the timeline of a card's first transaction. */
  async of({ accountId, livemode, id, type, sourceId, providerName: provider }: TimelineSubject): Promise<Happening[]> {
    if (type !== 'card_issue') return [];
    const calls: CallRow[] = await this.dataSource.query(SELECT_CALLS, [accountId, livemode, sourceId]);
    const asked: Happening = {
      at: timeOf(id),
      kind: 'provider.attempt',
      data: { provider, number: 1, reference: sourceId },
    };
    return [asked, ...calls.map(told)];
  }
}

const told = ({ id, issuer, call, outcome, code, message }: CallRow): Happening => ({
  at: timeOf(id),
  kind: call === 'issue' ? 'provider.answer' : 'provider.requery',
  data: { provider: issuer, outcome, code, message },
});
