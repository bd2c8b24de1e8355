import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { DomainError } from '../../core/errors/domain-error';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import type { Claim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { Replayed } from '../ledger/ledger.types';
import type { Transfer } from './transfer.entity';

/** Kinds of a `DomainError` that are a fault of ours; all others are an answer. */
const FAULTS = new Set(['unavailable', 'internal']);

/** What extensions hear of transfers. */
@Injectable()
export class TransferHooks {
  constructor(
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
  ) {}

  /** Somebody wants to be asked before a transfer: only then is there more to find out than the ledger does by itself. */
  get hasGates(): boolean {
    return !this.extensions.isEmpty('svc_before_payment', 'transfer');
  }

  /** What carried the request out before, else `work`. Throws `IdempotencyKeyReused`, `DuplicateReference`, and what `work` throws. */
  answer(claim: Claim, work: () => Promise<null>): Promise<Replayed | null> {
    return this.idempotency.answer<Replayed | null>(claim, work, (replay) => ({ status: 'replayed', ...replay }));
  }

  /** Throws `BlockedByHook`, `GateUnavailable`. */
  ask(transfer: Transfer, caller: Caller, dryRun: boolean): Promise<void> {
    return this.extensions.gate({ ...contextOf(transfer, caller), dryRun });
  }

  /** The observers in whose handlers this call stands. */
  causes(): readonly string[] {
    return this.extensions.causes();
  }

  /** Rows to be written with the event of a transfer. */
  rows(event: Write, { accountId, livemode, id }: Transfer, causes: readonly string[]): Write[] {
    return this.extensions.afterPayment(
      event,
      { operation: 'transfer', accountId, livemode, objectType: 'trf', objectId: id },
      causes,
    );
  }

  wake(): void {
    this.extensions.wake();
  }

  /** Tells of an error, unless it is a refusal. `transfer`: as far as it came. */
  failed(error: unknown, transfer: Transfer | undefined, caller: Caller): void {
    const { code, kind, detail } = error instanceof DomainError ? error.details : UNEXPECTED;
    if (!FAULTS.has(kind)) return;
    const { accountId, livemode, requestId } = caller;
    const known = transfer
      ? contextOf(transfer, caller)
      : { operation: 'transfer' as const, accountId, livemode, requestId, draft: null };
    this.extensions.onError({ ...known, dryRun: false, error: { stage: 'platform', code, message: detail } });
  }
}

const UNEXPECTED = {
  code: 'internal_error',
  kind: 'internal',
  detail: 'A transfer failed unexpectedly; the log tells why.',
} as const;

const contextOf = (transfer: Transfer, { accountId, livemode, requestId }: Caller): Omit<PaymentContext, 'dryRun'> => ({
  operation: 'transfer',
  accountId,
  livemode,
  requestId,
  draft: {
    amount: transfer.amount,
    currency: transfer.currency,
    walletId: transfer.fromWalletId,
    recipient: transfer.toWalletId,
    network: null,
    reference: transfer.reference,
    metadata: transfer.metadata,
    details: { to_account_id: transfer.toAccountId, narration: transfer.narration },
  },
});
