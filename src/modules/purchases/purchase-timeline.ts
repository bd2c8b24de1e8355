import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import type { Key } from '../../core/http/caller';
import { Reviews } from '../../providers/reviews';
import { timeOf } from '../../core/http/ids';
import { type Happening, TimelineService, type TimelineSource } from '../transactions/timeline.service';
import { Purchase, PurchaseAttempt } from './purchase.entity';

interface CheckRow {
  readonly id: string;
  readonly provider: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly call: 'purchase' | 'find';
}

/** What the provider said by itself: its word, and no code. */
type CallbackRow = Pick<CheckRow, 'id' | 'provider'> & { readonly outcome: string | null };

/** Tells the timeline which providers were asked, what they said, asked or by themselves, and what people decided. */
@Injectable()
export class PurchaseTimeline implements TimelineSource, OnModuleInit {
  constructor(
    @InjectRepository(Purchase) private readonly purchases: Repository<Purchase>,
    @InjectRepository(PurchaseAttempt) private readonly attempts: Repository<PurchaseAttempt>,
    private readonly dataSource: DataSource,
    private readonly timelines: TimelineService,
    private readonly reviews: Reviews,
  ) {}

  onModuleInit(): void {
    this.timelines.include(this);
  }

  async of({ accountId, livemode, id: purchaseId }: Key): Promise<Happening[]> {
    const [purchase, attempts, checks, callbacks, decisions] = await Promise.all([
      this.purchases.findOneBy({ accountId, livemode, id: purchaseId }),
      this.attempts.find({ where: { accountId, livemode, purchaseId }, order: { number: 'ASC' } }),
      this.dataSource.query<CheckRow[]>(
        'SELECT id, provider, outcome, code, call FROM purchase_checks WHERE account_id = $1 AND purchase_id = $2',
        [accountId, purchaseId],
      ),
      this.dataSource.query<CallbackRow[]>(
        'SELECT id, provider, says AS outcome FROM purchase_callbacks WHERE account_id = $1 AND purchase_id = $2',
        [accountId, purchaseId],
      ),
      this.reviews.told({ accountId, livemode, resource: 'txn', id: purchaseId }),
    ]);
    return [
      ...chosen(purchase),
      ...attempts.flatMap((attempt, index) =>
        told(
          attempt,
          checks.filter(({ provider }) => provider === attempt.provider),
          attempts[index + 1],
        ),
      ),
      ...checks
        .filter(({ call }) => call === 'find')
        .map(({ id, provider, outcome, code }): Happening => ({
          at: timeOf(id),
          kind: 'provider.requery',
          data: { provider, outcome, code },
        })),
      ...callbacks.map(({ id, provider, outcome }): Happening => ({
        at: timeOf(id),
        kind: 'provider.callback',
        data: { provider, outcome, code: null },
      })),
      ...decisions,
    ];
  }
}

/** Why they were asked in their order, where chance had a say. */
const chosen = (purchase: Purchase | null): Happening[] =>
  purchase === null || purchase.shares === null
    ? []
    : [
        {
          at: timeOf(purchase.id),
          kind: 'provider.choice',
          data: {
            shares: purchase.shares.map(({ provider, share, successRate, p95Ms }) => ({
              provider,
              share_basis_points: basisPoints(share),
              success_basis_points: basisPoints(successRate),
              p95_ms: p95Ms,
            })),
          },
        },
      ];

const basisPoints = (share: number): number => Math.round(share * 10_000);

/**
 * The attempt holds the last answer: one that a requery, or a person, found out later is told there, and the first as
 * it was given.
 */
function told(
  { id, number, provider, startedAt, endedAt, outcome, code, message, providerReference }: PurchaseAttempt,
  checks: readonly CheckRow[],
  next: PurchaseAttempt | undefined,
): Happening[] {
  const asked: Happening = { at: timeOf(id), kind: 'provider.attempt', data: { provider, number, reference: id } };
  const first = checks.find(({ call }) => call === 'purchase');
  if (first)
    return [
      asked,
      {
        at: timeOf(first.id),
        kind: 'provider.answer',
        data: { provider, number, outcome: first.outcome, code: first.code, message: null, provider_reference: null },
      },
    ];
  if (endedAt === null) return [asked];
  // Times of an attempt are those of the account's clock, which may be ahead of the time at which it was written down.
  const took = endedAt.getTime() - startedAt.getTime();
  // An attempt's clock is read before its id is made: the sum may lie behind the next attempt, which the answer led to.
  const at = new Date(Math.min(timeOf(id).getTime() + took, next ? timeOf(next.id).getTime() : Infinity));
  // Its process may have died while it asked: then a requery brought the answer.
  if (checks.some((check) => timeOf(check.id) <= at)) return [asked];
  return [
    asked,
    {
      at,
      kind: 'provider.answer',
      data: { provider, number, outcome, code, message, provider_reference: providerReference },
    },
  ];
}
