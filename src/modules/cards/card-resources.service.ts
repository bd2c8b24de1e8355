import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { timeOf } from '../../core/http/ids';
import { Presents, type Viewer } from '../../core/resources/resources';
import { Statements } from '../../providers/statements';
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

/** What an issuer paid merchants between two moments, and what came back; by the id of its message, where one told. */
const BOOKED = `
  SELECT s.id::text AS name, substring(s.issuer_reference FROM '^issuer \\S+ (.*)$') AS "issuerName",
         CASE s.kind WHEN 'clearing' THEN s.amount ELSE -s.amount END AS amount
    FROM card_clearings s JOIN cards c ON c.account_id = s.account_id AND c.livemode AND c.id = s.card_id
   WHERE s.livemode AND c.issuer = $1 AND c.currency = $2 AND s.kind IN ('clearing', 'refund')
     AND s.id >= uuid_v7_floor($3) AND s.id < uuid_v7_floor($4)
  UNION ALL
  SELECT t.id::text, d.issuer_reference, CASE t.type WHEN 'dispute_credit' THEN -t.amount ELSE t.amount END
    FROM card_transactions t JOIN cards c ON c.account_id = t.account_id AND c.livemode AND c.id = t.card_id
    JOIN disputes d ON d.account_id = t.account_id AND d.livemode AND d.id = t.dispute_id
   WHERE t.livemode AND c.issuer = $1 AND c.currency = $2 AND t.type IN ('dispute_credit', 'dispute_reversal')
     AND t.id >= uuid_v7_floor($3) AND t.id < uuid_v7_floor($4)`;

/**
 * Cards, what happened on them and who holds them, as their own account sees them; what its timeline tells of a card,
 * and what the books say to an issuer's statement.
 */
@Injectable()
export class CardResources implements TimelineSource, OnModuleInit {
  constructor(
    private readonly cards: CardsService,
    private readonly cardTransactions: CardTransactionsService,
    private readonly customers: CustomersService,
    private readonly timelines: TimelineService,
    private readonly dataSource: DataSource,
    private readonly statements: Statements,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
    this.statements.include(async ({ company, currency, from, to }) => {
      const booked: { name: string; issuerName: string | null; amount: string }[] = await this.dataSource.query(
        BOOKED,
        [company, currency, from, to],
      );
      return booked.map(({ name, issuerName, amount }) => ({
        names: issuerName === null ? [name] : [name, issuerName],
        transaction: null,
        amount: BigInt(amount),
      }));
    });
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
