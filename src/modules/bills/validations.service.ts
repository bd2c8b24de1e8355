import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { newId } from '../../core/http/ids';
import type { Replay, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Viewer } from '../../core/resources/resources';
import { BillValidation } from './bill-validation.entity';
import { ValidationExpired, ValidationMismatch } from './bills.errors';
import type { BillOrder, NewValidation } from './bills.types';
import { IdentificationService } from './identification.service';

export interface ValidationOutcome {
  readonly validation: BillValidation;
  readonly replayedBy: Replay['by'] | null;
}

const GOOD_FOR_MS = 15 * 60 * 1_000;

/** Keeps what billers say of their customers for the payments that follow. */
@Injectable()
export class ValidationsService {
  constructor(
    @InjectRepository(BillValidation) private readonly validations: Repository<BillValidation>,
    private readonly identification: IdentificationService,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  /** Throws what `IdentificationService.identify` throws, and `IdempotencyKeyReused`. */
  async validate(caller: Caller, asked: NewValidation, request: RequestClaim): Promise<ValidationOutcome> {
    const { accountId, livemode } = caller;
    const id = newId();
    const claim = { accountId, livemode, ...request, reference: null, resource: 'val', resourceId: id } as const;
    // The biller is asked outside of the transaction that claims the key: a repetition must not ask it again.
    const seen = await this.idempotency.replayOf(claim);
    if (seen) return { validation: await this.require(caller, seen.resourceId), replayedBy: seen.by };
    const identified = await this.identification.identify(caller, asked);
    const expiresAt = new Date((await this.clock.now(caller)).getTime() + GOOD_FOR_MS);
    const validation = { ...identified, accountId, livemode, id, expiresAt };
    const replay = await this.idempotency.once(claim, async (tx) => void (await tx.insert(BillValidation, validation)));
    return {
      validation: replay ? await this.require(caller, replay.resourceId) : validation,
      replayedBy: replay?.by ?? null,
    };
  }

  /** The caller's validation. Throws `NotFound`. */
  async require(
    { accountId, livemode }: Viewer,
    id: string | null,
    param: string | null = null,
  ): Promise<BillValidation> {
    return found(
      id === null ? null : await this.validations.findOneBy({ accountId, livemode, id }),
      'validation',
      param,
    );
  }

  /** The validation that a payment names, if it is about the payment and still good. Throws `NotFound`, `ValidationMismatch`, `ValidationExpired`. */
  async requireFor(viewer: Viewer, id: string | null, order: BillOrder): Promise<BillValidation> {
    const validation = await this.require(viewer, id, '/validation_id');
    if (validation.billerCode !== order.billerCode) throw new ValidationMismatch(validation.id, '/biller_code');
    if (validation.customer !== order.customer) throw new ValidationMismatch(validation.id, '/customer_identifier');
    if (validation.expiresAt <= (await this.clock.now(viewer))) throw new ValidationExpired(validation.id);
    return validation;
  }
}
