import { Injectable } from '@nestjs/common';
import type { Write } from '../../../core/database/bulk';
import type { Caller } from '../../../core/http/caller';
import { encodeId, newId } from '../../../core/http/ids';
import type { Claim, Likeness, Replay, RequestClaim } from '../../../core/idempotency/claim';
import { Idempotency } from '../../../core/idempotency/idempotency';
import { LedgerAccountsService } from '../../ledger/accounts.service';
import { LedgerService } from '../../ledger/ledger.service';
import type { Posted, Posting } from '../../ledger/ledger.types';
import type { Priced } from '../../pricing/fees.service';
import { type TransactionRecord, TransactionsService } from '../../transactions/transactions.service';
import { lowBalanceEvents } from '../../wallets/wallet-events';
import type { Brand } from '../card-issuer';
import { byOwner, cardWrite, later, transitionWrite } from '../card-rows';
import type { Card } from '../card.entity';
import type { Controls } from '../controls/spending-controls';
import type { Customer } from '../customers/customer.entity';
import { customerWrite, type NewCustomer } from '../customers/customers.service';
import type { IssuerChoice } from '../money/card-terms.service';
import defaults from '../transactions/decline-defaults.json';

/** A card as it is asked for. */
export interface NewCard {
  /** Public id; null: `customer` is made with the card. */
  readonly customerId: string | null;
  readonly customer: NewCustomer | null;
  readonly brand: Brand;
  /** First load, in cents. */
  readonly amount: bigint;
  /** Public id. */
  readonly fundingWalletId: string;
  readonly spendingControls: Controls;
  readonly label: string | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate: boolean;
}

/** Everything that is known of a card before it is written. */
export interface AgreedCard {
  readonly caller: Caller;
  readonly order: NewCard;
  readonly request: RequestClaim;
  readonly likeness: Likeness | null;
  readonly customer: Customer;
  readonly walletId: string;
  readonly price: Priced;
  readonly issuer: IssuerChoice;
  /** Of the account's clock. */
  readonly now: Date;
}

/** A card that is under way, with the record of the money that it costs. */
export interface IssuingCard {
  readonly card: Card;
  readonly transaction: TransactionRecord;
}

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
class CardIssueDraft {
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
      transitionWrite(card, null, byOwner(caller)),
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

/** Writes new cards: claim, account, record and hold in one posting. */
@Injectable()
export class CardOpening {
  constructor(
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: TransactionsService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * A replay when the request was carried out before. Throws what `agree` throws, `PostingRefused`,
   * `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  open(
    { accountId, livemode }: Caller,
    { request, reference, likeness }: Opened,
    agree: () => Promise<AgreedCard>,
  ): Promise<IssuingCard | Replay> {
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'crd', resourceId: newId(), likeness };
    const work = async (): Promise<IssuingCard | Replay> => {
      const draft = this.draft(await agree());
      const outcome = await this.ledger.require(draft.posting(), describe);
      return outcome.status === 'posted' ? draft.made! : outcome;
    };
    return this.idempotency.answer<IssuingCard | Replay>(claim, work, (replay) => replay);
  }

  /** What `open` would write now; writes nothing. */
  async preview(agreed: AgreedCard): Promise<{ readonly made: IssuingCard; readonly posted: Posted }> {
    const draft = this.draft(agreed);
    const posted = await this.ledger.preview(draft.posting(), describe);
    return { made: draft.made!, posted };
  }

  private draft(agreed: AgreedCard): CardIssueDraft {
    return new CardIssueDraft(newId(), agreed, { transactions: this.transactions, accounts: this.accounts });
  }
}

interface Opened {
  readonly request: RequestClaim;
  readonly reference: string | null;
  readonly likeness: Likeness | null;
}

const describe = (id: string) => ({ id: encodeId('wal', id), param: '/funding_wallet_id' });
