import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Repository, type SelectQueryBuilder } from 'typeorm';
import { bulkInsert, type Write } from '../../../core/database/bulk';
import { rows } from '../../../core/database/rows';
import { DomainError, found } from '../../../core/errors/domain-error';
import type { Key } from '../../../core/http/caller';
import { decodeId, encodeId, lowestIdAt, newIdOf } from '../../../core/http/ids';
import { eventWrite } from '../../../core/outbox/outbox';
import type { Viewer } from '../../../core/resources/resources';
import type { EventType } from '../../../vocabulary/event-types';
import type { QueryResult, RefundFound, RefundResult } from '../gateway';
import type { Payment } from '../payment.entity';
import { RefundDto, type RefundFilters } from './refund.dto';
import { assertTransition, Refund, type RefundStatus } from './refund.entity';

const refunds = rows(Refund);

export const refundWrite = refunds.insert();

/** A changed refund. A step is about the version that it read: of two who both settle it, the second fails here. */
const refundChange = refunds.update({
  name: 'update_refunds',
  change: [
    'status',
    'gatewayReference',
    'failure',
    'approval',
    'attempts',
    'askedAt',
    'checks',
    'notKnown',
    'nextCheckAt',
    'review',
    'reviews',
    'version',
    'updatedAt',
    'completedAt',
  ],
  was: ['version'],
});

const insertCheck = bulkInsert('refund_checks', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  refund_id: 'uuid',
  gateway: 'text',
  call: 'text',
  outcome: 'text',
  code: 'text?',
  amount: 'bigint?',
});

/** What a gateway answered: to the refund itself, to a question about it, or to one about its payment. */
export const refundCheckWrite = (
  refund: Readonly<Refund>,
  call: 'refund' | 'find_refund' | 'query',
  result: RefundResult | RefundFound | Extract<QueryResult, { outcome: 'reversed' }>,
): Write =>
  insertCheck.row({
    account_id: refund.accountId,
    livemode: refund.livemode,
    id: newIdOf(refund.accountId),
    refund_id: refund.id,
    gateway: refund.gateway,
    call,
    outcome: result.outcome,
    code: 'code' in result ? result.code : null,
    amount: 'amount' in result ? result.amount : null,
  });

/** The refund is in a state in which this cannot be done. */
export class InvalidRefundTransition extends DomainError {
  constructor(refundId: string, status: string, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('rfd', refundId)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('rfd', refundId),
    });
  }
}

/** The row of a step, and the refund after it. */
export function refundStep(before: Readonly<Refund>, patch: Partial<Refund>): { after: Refund; write: Write } {
  const after = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
  if (after.status !== before.status) assertTransition(before.status, after.status);
  return { after, write: refundChange(after, before) };
}

/** `refund.<what>` with the refund as it stands then; `previous`: its status before. */
export const refundEvent = (
  refund: Readonly<Refund>,
  what: RefundStatus | 'needs_review' | 'awaiting_approval',
  previous: RefundStatus | null,
): Write =>
  eventWrite({
    accountId: refund.accountId,
    livemode: refund.livemode,
    type: `refund.${what}` as EventType,
    objectType: 'rfd',
    objectId: refund.id,
    snapshot: { ...RefundDto.of(refund), previous_status: previous },
    origin: originOf(refund),
  });

export const originOf = ({ requestId, idempotencyKey }: Readonly<Refund>) => ({ requestId, idempotencyKey });

/** What a gateway knows a refund by. */
export const refundReferenceOf = ({ id }: Readonly<Refund>): string => encodeId('rfd', id);

/** What a gateway answered about a refund. */
export interface RefundAnswer {
  readonly id: string;
  readonly gateway: string;
  readonly call: 'refund' | 'find_refund' | 'query';
  readonly outcome: string;
  readonly code: string | null;
}

/** Finds refunds. */
@Injectable()
export class RefundStore {
  constructor(@InjectRepository(Refund) private readonly refunds: Repository<Refund>) {}

  /** Throws `NotFound`. */
  async load({ accountId, livemode, id }: Key): Promise<Refund> {
    return found(await this.refunds.findOneBy({ accountId, livemode, id }), 'refund');
  }

  /** By public id. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, publicId: string): Promise<Refund> {
    const id = decodeId('rfd', publicId);
    return found(id === null ? null : await this.refunds.findOneBy({ accountId, livemode, id }), 'refund');
  }

  /** All of a payment, oldest first. */
  ofPayment({ accountId, livemode, id: paymentId }: Pick<Payment, 'accountId' | 'livemode' | 'id'>): Promise<Refund[]> {
    return this.refunds.find({ where: { accountId, livemode, paymentId }, order: { id: 'ASC' } });
  }

  /** The one that a transaction paid for, if any. */
  findByTransaction({ accountId, livemode, id: transactionId }: Key): Promise<Refund | null> {
    return this.refunds.findOneBy({ accountId, livemode, transactionId });
  }

  /** What its gateway answered so far. */
  answersOf({ accountId, id }: Pick<Refund, 'accountId' | 'id'>): Promise<RefundAnswer[]> {
    return this.refunds.query(
      'SELECT id, gateway, call, outcome, code FROM refund_checks WHERE account_id = $1 AND refund_id = $2',
      [accountId, id],
    );
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: RefundFilters,
    before: string | null,
    take: number,
  ): Promise<Refund[]> {
    const query = this.refunds
      .createQueryBuilder('r')
      .where('r.account_id = :accountId AND r.livemode = :livemode', { accountId, livemode })
      .orderBy('r.id', 'DESC')
      .take(take);
    if (before) query.andWhere('r.id < :before', { before });
    return narrow(query, filters) ? query.getMany() : [];
  }
}

/** False: nothing can match. */
function narrow(query: SelectQueryBuilder<Refund>, filters: RefundFilters): boolean {
  if (filters.status !== undefined) query.andWhere('r.status IN (:...status)', { status: filters.status });
  if (filters.reference !== undefined) query.andWhere('r.reference = :reference', { reference: filters.reference });
  if (filters.needs_review !== undefined) query.andWhere(`r.review IS ${filters.needs_review ? 'NOT ' : ''}NULL`);
  // Ids carry the time of creation: a bound on time is a bound on the primary key.
  if (filters.created_gte) query.andWhere('r.id >= :from', { from: lowestIdAt(filters.created_gte) });
  if (filters.created_lt) query.andWhere('r.id < :to', { to: lowestIdAt(filters.created_lt) });
  if (filters.payment_id !== undefined) {
    const paymentId = decodeId('pay', filters.payment_id);
    if (paymentId === null) return false;
    query.andWhere('r.payment_id = :paymentId', { paymentId });
  }
  if (filters.wallet_id === undefined) return true;
  const walletId = decodeId('wal', filters.wallet_id);
  query.andWhere('r.wallet_id = :walletId', { walletId });
  return walletId !== null;
}
