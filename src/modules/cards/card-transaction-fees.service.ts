import { Injectable } from '@nestjs/common';
import { encodeId, newId } from '../../core/http/ids';
import type { Currency } from '../../core/money/currencies';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Posted, Posting } from '../ledger/ledger.types';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { transactionEvent } from '../transactions/transactions.events';
import { type CardKey, type Cause, claimOf, originOf } from './authorizations.types';
import type { CardTransaction } from './card-transaction.entity';
import { cardTransactionEvent } from './card-transactions.events';
import { cardTransactionWrite } from './card-transactions.queries';
import { type CardTransactionResult, CardTransactionsService } from './card-transactions.service';

/** A card that pays a fee, in the card's currency. */
export type Payer = CardKey & { readonly currency: Currency };

/** Books what the issuer charges a card: a card transaction and the account's record `card_fee`, under one uuid. */
@Injectable()
export class CardTransactionFees {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly records: TransactionsService,
    private readonly transactions: CardTransactionsService,
  ) {}

  /** `now`: of the account's clock. Throws `PostingRefused` (`insufficient_funds`, …), `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`. */
  async charge(
    card: Payer,
    { amount, now }: { amount: bigint; now: Date },
    cause: Cause,
  ): Promise<CardTransactionResult> {
    const fee = feeOf(card, { amount, now }, cause);
    const outcome = await this.ledger.require(await this.posting(fee, cause), (id) => ({
      id: encodeId('crd', id),
      param: '/amount',
    }));
    return outcome.status === 'posted'
      ? { transaction: fee, replayedBy: null }
      : this.transactions.replayed(card, outcome);
  }

  private async posting(fee: CardTransaction, cause: Cause): Promise<Posting> {
    const { accountId, livemode, id, cardId, amount, currency } = fee;
    const feesId = await this.accounts.platform('fees', currency, livemode);
    return {
      id,
      accountId,
      livemode,
      currency,
      claim: claimOf(fee, cause),
      lines: [
        { ledgerAccountId: cardId, bucket: 'available', amount: -amount, transactionId: id },
        { ledgerAccountId: feesId, bucket: 'available', amount, transactionId: null },
      ],
      writes: (posted) => {
        const [record, origin] = [this.record(fee, posted), originOf(cause)];
        return [
          cardTransactionWrite(fee),
          this.records.writeOpen(record),
          cardTransactionEvent(fee, 'settled', origin),
          transactionEvent(record, { previous: null, origin }),
        ];
      },
    };
  }

  private record(
    { accountId, livemode, id, cardId, amount, currency }: CardTransaction,
    posted: Posted,
  ): TransactionRecord {
    const { available } = posted.account(cardId);
    const record = this.records.final({
      accountId,
      livemode,
      id,
      walletId: cardId,
      sourceId: cardId,
      type: 'card_fee',
      direction: 'debit',
      amount,
      currency,
      balanceBefore: available + amount,
      balanceAfter: available,
      at: posted.at,
    });
    return { ...record, details: { card_transaction_id: encodeId('ctx', id) } };
  }
}

function feeOf(
  { accountId, livemode, id: cardId, currency }: Payer,
  { amount, now }: { amount: bigint; now: Date },
  cause: Cause,
): CardTransaction {
  return {
    accountId,
    livemode,
    id: newId(),
    cardId,
    type: 'fee',
    status: 'settled',
    amount,
    cleared: amount,
    released: 0n,
    refunded: 0n,
    currency,
    merchant: null,
    declineReason: null,
    originalId: null,
    issuerReference: null,
    madeAt: now,
    expiresAt: null,
    settledAt: now,
    nextCheckAt: null,
    requestId: cause.requestId,
    idempotencyKey: cause.key,
    version: 1,
    updatedAt: now,
  };
}
