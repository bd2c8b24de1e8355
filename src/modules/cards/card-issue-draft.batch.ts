import type { Write } from '../../core/database/bulk';
import { encodeId, newId } from '../../core/http/ids';
import type { Claim } from '../../core/idempotency/claim';
import type { LedgerAccountsService } from '../ledger/accounts.service';
import type { Posted, Posting } from '../ledger/ledger.types';
import type { TransactionRecord, TransactionsService } from '../transactions/transactions.service';
import { lowBalanceEvents } from '../wallets/wallet-events';
import type { AgreedCard, IssuingCard } from './card-issuing.types';
import { later } from './card-step.batch';
import type { Card } from './card.entity';
import { cardWrite, ownersDeed, transitionWrite } from './cards.queries';
import { customerWrite } from './customers.queries';
import defaults from './decline-defaults.json';

export const CURRENCY = 'USD';
/** Of what fits on a card. */
const NAME_MAX = 26;
/** A process that dies while it asks leaves the card to whoever looks after this time. */
const ABANDONED_AFTER_MS = 30_000;

interface Helpers {
  readonly transactions: TransactionsService;
  readonly accounts: LedgerAccountsService;
}

/** A card on its way into the books: the posting of its hold, and the rows that go with it. */
export class CardIssueDraft {
  private readonly transactionId = newId();
  made?: IssuingCard;

  constructor(
    private readonly id: string,
    private readonly agreed: AgreedCard,
    private readonly helpers: Helpers,
  ) {}

  /** Claims, opens the card's account and holds load and fee: the issuer may be asked when it is committed. */
  posting(): Posting {
    const {
      caller: { accountId, livemode },
      order: { amount },
      price: { fee },
      walletId,
    } = this.agreed;
    return {
      id: this.transactionId,
      accountId,
      livemode,
      currency: CURRENCY,
      among: 'wallet',
      lines: [],
      holds: [
        {
          kind: 'open',
          holdId: this.transactionId,
          ledgerAccountId: walletId,
          amount: amount + fee,
          transactionId: this.transactionId,
        },
      ],
      claim: this.claim,
      writes: (posted) => this.writes(posted),
    };
  }

  private get claim(): Claim {
    const {
      caller: { accountId, livemode },
      order: { reference },
      request,
      likeness,
    } = this.agreed;
    return { accountId, livemode, ...request, reference, resource: 'crd', resourceId: this.id, likeness };
  }

  private writes(posted: Posted): Write[] {
    const { caller, order, customer, request } = this.agreed;
    const { accountId, livemode, requestId } = caller;
    const card = this.card(posted.at);
    const transaction = this.transaction(posted);
    this.made = { card, transaction };
    const { accounts, transactions } = this.helpers;
    return [
      accounts.open({ accountId, livemode, id: card.id, name: 'card', currency: CURRENCY, alertBelow: null }),
      ...(order.customer ? [customerWrite(customer)] : []),
      cardWrite(card),
      transitionWrite(card, null, ownersDeed(caller)),
      transactions.writeOpen(transaction),
      ...lowBalanceEvents(posted, { requestId, idempotencyKey: request.key }),
    ];
  }

  private card(at: Date): Card {
    const {
      caller: { accountId, livemode, requestId },
      order,
      request,
      customer,
      walletId,
      issuer,
      now,
    } = this.agreed;
    const { brand, spendingControls, label, metadata, reference } = order;
    return {
      accountId,
      livemode,
      id: this.id,
      customerId: customer.id,
      walletId,
      transactionId: this.transactionId,
      brand,
      currency: CURRENCY,
      status: 'pending',
      statusReason: null,
      issuer: issuer.name,
      issuerOptions: { ...issuer.options },
      issuerReference: null,
      issuerBehind: false,
      last4: null,
      expMonth: null,
      expYear: null,
      expiresAt: null,
      nameOnCard: `${customer.firstName} ${customer.lastName}`.toUpperCase().slice(0, NAME_MAX).trim(),
      billingAddress: customer.address,
      spendingControls,
      declines: 0,
      warnAt: defaults.warn_at,
      terminateAt: defaults.terminate_at,
      label,
      metadata,
      reference,
      checks: 0,
      nextCheckAt: later(now, ABANDONED_AFTER_MS),
      requestId,
      idempotencyKey: request.key,
      version: 1,
      updatedAt: at,
    };
  }

  private transaction(posted: Posted): TransactionRecord {
    const {
      caller: { accountId, livemode },
      order: { amount, reference, metadata },
      price: { fee, breakdown },
      issuer,
      walletId,
      now,
    } = this.agreed;
    const { available } = posted.account(walletId);
    const final = this.helpers.transactions.final({
      accountId,
      livemode,
      id: this.transactionId,
      walletId,
      type: 'card_issue',
      direction: 'debit',
      amount,
      fee,
      currency: CURRENCY,
      reference,
      metadata: { ...metadata },
      sourceId: this.id,
      balanceBefore: available + amount + fee,
      balanceAfter: available,
      at: posted.at,
    });
    return {
      ...final,
      status: 'pending',
      completedAt: null,
      recipient: encodeId('crd', this.id),
      providerName: issuer.name,
      providerAttempts: 1,
      nextCheckAt: later(now, ABANDONED_AFTER_MS),
      details: { breakdown, ...(issuer.changes.length > 0 && { routing: issuer.changes }) },
    };
  }
}
