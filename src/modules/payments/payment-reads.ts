import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository, type SelectQueryBuilder } from 'typeorm';
import { rowsWith } from '../../core/database/metadata';
import { retryAway } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { decodeId, encodeId, lowestIdAt, newIdOf, timeOf } from '../../core/http/ids';
import type { Made, Replay } from '../../core/idempotency/claim';
import { Presents, type Viewer } from '../../core/resources/resources';
import { Reviews } from '../../providers/reviews';
import type { IdPrefix } from '../../vocabulary/id-prefixes';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import { LedgerLineDto } from '../transactions/transaction.dto';
import { type Happening, TimelineService, type TimelineSource } from '../transactions/timeline.service';
import { CheckoutLinks } from './checkout/checkout-links';
import { creditOf, linesOf, outerAccountsOf, sharesOf } from './credit';
import { PaymentDto, type PaymentFilters } from './payment.dto';
import { Payment } from './payment.entity';

const EXACT = ['gateway', 'reference', 'currency'] as const;

interface Row {
  readonly id: string;
  readonly gateway: string;
  readonly call: 'start' | 'query' | 'callback';
  readonly outcome: string | null;
  readonly code: string | null;
}

const FIND = `SELECT id FROM payments WHERE account_id = $1 AND livemode = $2 AND transaction_id = $3`;

const SELECT_ANSWERS = `
  SELECT id, gateway, call, outcome, code FROM payment_checks WHERE account_id = $1 AND payment_id = $2
  UNION ALL
  SELECT id, gateway, 'callback', says, NULL FROM payment_callbacks WHERE account_id = $1 AND payment_id = $2`;

const KINDS = { start: 'provider.attempt', query: 'provider.requery', callback: 'provider.callback' } as const;

/** Reads payments for those whose they are, shows them, and tells the timeline of a credit how it came about. */
@Injectable()
export class PaymentReads implements TimelineSource, OnModuleInit {
  constructor(
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    private readonly links: CheckoutLinks,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
    private readonly reviews: Reviews,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  /** By public id. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, publicId: string): Promise<Payment> {
    const id = decodeId('pay', publicId);
    return found(id === null ? null : await this.payments.findOneBy({ accountId, livemode, id }), 'payment');
  }

  /** The payment that an earlier request made, as it is now. */
  async replayed({ accountId, livemode }: Viewer, { resourceId: id, by }: Replay): Promise<Made<Payment>> {
    const payment = await retryAway(() => this.payments.findOneBy({ accountId, livemode, id }));
    return { made: found(payment, 'payment'), replayedBy: by };
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: PaymentFilters,
    before: string | null,
    take: number,
  ): Promise<Payment[]> {
    const query = this.payments
      .createQueryBuilder('p')
      .where('p.account_id = :accountId AND p.livemode = :livemode', { accountId, livemode })
      .orderBy('p.id', 'DESC')
      .take(take);
    if (filters.status !== undefined) query.andWhere('p.status IN (:...status)', { status: filters.status });
    if (before) query.andWhere('p.id < :before', { before });
    return narrow(query, filters) ? rowsWith(query, filters.metadata, { accountId, livemode }, before) : [];
  }

  @Presents('pay', 'payments:read')
  async payment(viewer: Viewer, id: string): Promise<PaymentDto> {
    return this.show(await this.require(viewer, encodeId('pay', id)));
  }

  show(payment: Readonly<Payment>): PaymentDto {
    return PaymentDto.of(payment, this.links.urlOf(payment));
  }

  /** A payment that a dry run would record, with the lines that its success would write. Throws `PostingRefused`. */
  async preview(payment: Readonly<Payment>): Promise<PaymentDto> {
    const { id, accountId, livemode, currency, gateways, walletId } = payment;
    const outer = await outerAccountsOf(this.accounts, payment, gateways[0]);
    const lines = linesOf(walletId, sharesOf(creditOf(payment)), outer, id, 1n);
    const posted = await this.ledger.preview(
      { id: newIdOf(accountId), accountId, livemode, currency, lines, claim: null },
      (wallet) => ({ id: encodeId('wal', wallet), param: '/wallet_id' }),
    );
    return PaymentDto.ofPreview(payment, LedgerLineDto.listOf(posted, accountId));
  }

  async of({ accountId, livemode, id }: Key): Promise<Happening[]> {
    const [payment] = await this.dataSource.query<{ id: string }[]>(FIND, [accountId, livemode, id]);
    return payment === undefined ? [] : this.ofThing('pay', { accountId, livemode, id: payment.id });
  }

  /** What its gateway was asked and said, and what people decided. */
  async ofThing(prefix: IdPrefix, { accountId, livemode, id }: Key): Promise<Happening[]> {
    if (prefix !== 'pay') return [];
    const [rows, decisions] = await Promise.all([
      this.dataSource.query<Row[]>(SELECT_ANSWERS, [accountId, id]),
      this.reviews.told({ accountId, livemode, resource: 'pay', id }),
    ]);
    return [
      ...rows.map(({ id: rowId, gateway: provider, call, outcome, code }): Happening => ({
        at: timeOf(rowId),
        kind: KINDS[call],
        data: { provider, outcome, code },
      })),
      ...decisions,
    ];
  }
}

/** False: nothing can match. */
function narrow(query: SelectQueryBuilder<Payment>, filters: PaymentFilters): boolean {
  for (const field of EXACT) {
    if (filters[field] !== undefined) query.andWhere(`p.${field} = :${field}`, { [field]: filters[field] });
  }
  if (filters.needs_review !== undefined) query.andWhere(`p.review IS ${filters.needs_review ? 'NOT ' : ''}NULL`);
  if (filters.amount_gte !== undefined) query.andWhere('p.amount >= :amount_gte', { amount_gte: filters.amount_gte });
  if (filters.amount_lte !== undefined) query.andWhere('p.amount <= :amount_lte', { amount_lte: filters.amount_lte });
  // Ids carry the time of creation: a bound on time is a bound on the primary key.
  if (filters.created_gte) query.andWhere('p.id >= :from', { from: lowestIdAt(filters.created_gte) });
  if (filters.created_lt) query.andWhere('p.id < :to', { to: lowestIdAt(filters.created_lt) });
  if (filters.wallet_id === undefined) return true;
  const walletId = decodeId('wal', filters.wallet_id);
  query.andWhere('p.wallet_id = :walletId', { walletId });
  return walletId !== null;
}
