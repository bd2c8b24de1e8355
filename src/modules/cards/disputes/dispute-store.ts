import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import type { Write } from '../../../core/database/bulk';
import { rows } from '../../../core/database/rows';
import { DomainError, found } from '../../../core/errors/domain-error';
import type { Key } from '../../../core/http/caller';
import { decodeId, encodeId, lowestIdAt } from '../../../core/http/ids';
import { eventWrite } from '../../../core/outbox/outbox';
import { Presents, type Viewer } from '../../../core/resources/resources';
import type { EventType } from '../../../vocabulary/event-types';
import { DisputeDto, type DisputeFilters } from './dispute.dto';
import { assertTransition, Dispute, type DisputeStatus } from './dispute.entity';

const disputes = rows(Dispute);

export const disputeWrite = disputes.insert();

/** A changed dispute. A step is about the version that it read: of two who both settle it, the second fails here. */
const disputeChange = disputes.update({
  name: 'update_disputes',
  change: [
    'status',
    'issuerReference',
    'provisionalCredit',
    'wonAmount',
    'withdrawal',
    'failure',
    'attempts',
    'checks',
    'nextCheckAt',
    'review',
    'reviews',
    'version',
    'updatedAt',
    'resolvedAt',
  ],
  was: ['version'],
});

/** The dispute is in a state in which this cannot be done. */
export class InvalidDisputeTransition extends DomainError {
  constructor({ id, status }: Pick<Dispute, 'id' | 'status'>, wanted: string, why = '') {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('dsp', id)} is ${status}${why} and cannot be ${wanted}.`,
      resourceId: encodeId('dsp', id),
    });
  }
}

/** The row of a step, and the dispute after it. */
export function disputeStep(before: Readonly<Dispute>, patch: Partial<Dispute>): { after: Dispute; write: Write } {
  const after = { ...before, updatedAt: new Date(), ...patch, version: before.version + 1 };
  if (after.status !== before.status) assertTransition(before.status, after.status);
  return { after, write: disputeChange(after, before) };
}

const WORDS: Readonly<Record<DisputeStatus, string>> = {
  open: 'opened',
  under_review: 'under_review',
  won: 'won',
  lost: 'lost',
  withdrawn: 'withdrawn',
};

/** `dispute.<what>` with the dispute as it stands then; `previous`: its status before. */
export const disputeEvent = (
  dispute: Readonly<Dispute>,
  what: DisputeStatus | 'needs_review',
  previous: DisputeStatus | null,
): Write =>
  eventWrite({
    accountId: dispute.accountId,
    livemode: dispute.livemode,
    type: `dispute.${what === 'needs_review' ? what : WORDS[what]}` as EventType,
    objectType: 'dsp',
    objectId: dispute.id,
    snapshot: { ...DisputeDto.of(dispute), previous_status: previous },
    origin: originOf(dispute),
  });

export const originOf = ({ requestId, idempotencyKey }: Readonly<Dispute>) => ({ requestId, idempotencyKey });

/** Finds disputes, and shows them to whoever holds only an id. */
@Injectable()
export class DisputeStore {
  constructor(@InjectRepository(Dispute) private readonly disputes: Repository<Dispute>) {}

  /** Throws `NotFound`. */
  async load({ accountId, livemode, id }: Key): Promise<Dispute> {
    return found(await this.disputes.findOneBy({ accountId, livemode, id }), 'dispute');
  }

  /** By public id. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, publicId: string): Promise<Dispute> {
    const id = decodeId('dsp', publicId);
    return found(id === null ? null : await this.disputes.findOneBy({ accountId, livemode, id }), 'dispute');
  }

  @Presents('dsp', 'cards:read')
  async dispute(viewer: Viewer, id: string): Promise<DisputeDto> {
    return DisputeDto.of(await this.require(viewer, encodeId('dsp', id)));
  }

  /** Newest first, below the uuid `before`. */
  async list(
    { accountId, livemode }: Viewer,
    filters: DisputeFilters,
    before: string | null,
    take: number,
  ): Promise<Dispute[]> {
    const query = this.disputes
      .createQueryBuilder('d')
      .where('d.account_id = :accountId AND d.livemode = :livemode', { accountId, livemode })
      .orderBy('d.id', 'DESC')
      .take(take);
    if (before) query.andWhere('d.id < :before', { before });
    return narrow(query, filters) ? query.getMany() : [];
  }
}

/** False: nothing can match. */
function narrow(query: SelectQueryBuilder<Dispute>, filters: DisputeFilters): boolean {
  if (filters.status !== undefined) query.andWhere('d.status IN (:...status)', { status: filters.status });
  if (filters.needs_review !== undefined) query.andWhere(`d.review IS ${filters.needs_review ? 'NOT ' : ''}NULL`);
  // Ids carry the time of creation: a bound on time is a bound on the primary key.
  if (filters.created_gte) query.andWhere('d.id >= :from', { from: lowestIdAt(filters.created_gte) });
  if (filters.created_lt) query.andWhere('d.id < :to', { to: lowestIdAt(filters.created_lt) });
  if (filters.card_id !== undefined) {
    const cardId = decodeId('crd', filters.card_id);
    if (cardId === null) return false;
    query.andWhere('d.card_id = :cardId', { cardId });
  }
  if (filters.card_transaction_id === undefined) return true;
  const cardTransactionId = decodeId('ctx', filters.card_transaction_id);
  query.andWhere('d.card_transaction_id = :cardTransactionId', { cardTransactionId });
  return cardTransactionId !== null;
}
