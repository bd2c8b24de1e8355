import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import type { Write } from '../../../core/database/bulk';
import { found } from '../../../core/errors/not-found';
import { Extensions } from '../../../core/extension/extensions';
import type { FilterChange, PaymentContext } from '../../../core/extension/points';
import type { Pass } from '../../../core/extension/refusals';
import type { Caller } from '../../../core/http/caller';
import { decodeId, encodeId, newId } from '../../../core/http/ids';
import type { Claim, Likeness, RequestClaim } from '../../../core/idempotency/claim';
import { Routes } from '../../../providers/routes';
import { LedgerAccountsService } from '../../ledger/accounts.service';
import { LedgerService } from '../../ledger/ledger.service';
import type { Posted, Posting, Replayed } from '../../ledger/posting';
import { FeesService, type Priced } from '../../pricing/fees.service';
import { type TransactionRecord, TransactionsService } from '../../transactions/transactions.service';
import { lowBalanceEvents } from '../../wallets/wallet-events';
import type { Brand } from '../card-issuer';
import { byOwner, cardWrite, EMPTY, later, transitionWrite } from '../cards.service';
import type { Card, CardRecord } from '../card.entity';
import { CustomerAnonymized, InvalidCardRequest, IssuerUnavailable } from '../cards.errors';
import type { Controls } from '../controls/spending-controls';
import type { Customer } from '../customers/customer.entity';
import { CustomersService, customerWrite, type NewCustomer } from '../customers/customers.service';
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

/** Who asks for a card, and how the request is known again. */
export interface AskedCard {
  readonly caller: Caller;
  readonly order: NewCard;
  readonly request: RequestClaim;
  readonly likeness: Likeness | null;
}

/** Who issues a card. */
interface IssuerChoice {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
  /** What filters changed; for `details.routing`. */
  readonly changes: readonly FilterChange[];
}

/** Everything that is known of a card before it is written. */
interface AgreedCard extends AskedCard {
  readonly customer: Customer;
  readonly walletId: string;
  readonly price: Priced;
  readonly issuer: IssuerChoice;
  /** Of the account's clock. */
  readonly now: Date;
  readonly transactionId: string;
  /** That of the gates. */
  readonly pass: Pass;
}

/** A card that is under way, with the record of the money that it costs. */
export interface IssuingCard {
  readonly card: Card;
  readonly transaction: TransactionRecord;
}

/** A card that would be asked for, with the lines that its hold would write. */
export interface CardPreview {
  readonly card: CardRecord;
  readonly posted: Posted;
}

const CURRENCY = 'USD';
/** Of what fits on a card. */
const NAME_MAX = 26;
/** A process that dies while it asks leaves the card to whoever looks after this time. */
const ABANDONED_AFTER_MS = 30_000;

/** A card on its way into the books: the posting of its hold, and the rows that go with it. */
class CardIssueDraft {
  private readonly id = newId();
  private readonly transactionId: string;
  made?: IssuingCard;

  constructor(
    readonly agreed: AgreedCard,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: TransactionsService,
  ) {
    this.transactionId = agreed.transactionId;
  }

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
    const { caller, order, customer, request, pass } = this.agreed;
    const { accountId, livemode, requestId } = caller;
    const card = this.card(posted.at);
    const transaction = this.transaction(posted);
    this.made = { card, transaction };
    return [
      this.accounts.open({ accountId, livemode, id: card.id, name: 'card', currency: CURRENCY, alertBelow: null }),
      ...(order.customer ? [customerWrite(customer)] : []),
      cardWrite(card),
      transitionWrite(card, null, byOwner(caller)),
      this.transactions.writeOpen(transaction),
      ...pass.writes,
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
    const final = this.transactions.final({
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

/** Agrees on new cards and writes them: claim, account, record and hold in one posting. */
@Injectable()
export class CardOpening {
  constructor(
    private readonly customers: CustomersService,
    private readonly fees: FeesService,
    private readonly routes: Routes,
    private readonly extensions: Extensions,
    private readonly clock: Clock,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Another request may have been the first meanwhile: then what that one made. Throws what `agree` throws,
   * `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  async open(asked: AskedCard): Promise<IssuingCard | Replayed> {
    const draft = await this.draft(asked, false);
    const outcome = await draft.agreed.pass.make(
      () => this.ledger.require(draft.posting(), describe),
      ({ status }) => status === 'posted',
    );
    return outcome.status === 'posted' ? draft.made! : outcome;
  }

  /** What `open` would write now; writes nothing. */
  async preview(asked: AskedCard): Promise<CardPreview> {
    const draft = await this.draft(asked, true);
    const posted = await this.ledger.preview(draft.posting(), describe);
    return { card: { ...draft.made!.card, ...EMPTY }, posted };
  }

  private async draft(asked: AskedCard, dryRun: boolean): Promise<CardIssueDraft> {
    return new CardIssueDraft(await this.agree(asked, dryRun), this.accounts, this.transactions);
  }

  /**
   * What the card costs and who issues it, and whether it may be. Reads only. Throws `NotFound`, `CustomerAnonymized`,
   * `LimitExceeded`, `InvalidCardRequest`, `IssuerUnavailable`, `BlockedByHook`, `GateUnavailable`.
   */
  private async agree(asked: AskedCard, dryRun: boolean): Promise<AgreedCard> {
    const { caller, order } = asked;
    const walletId = found(decodeId('wal', order.fundingWalletId), 'wallet', '/funding_wallet_id');
    const customer = await this.customerOf(caller, order);
    const context = contextOf(caller, order, { customer, walletId, dryRun });
    const price = await this.fees.priced('card_issue', context);
    const issuer = await this.issuerFor(order.brand, context);
    const now = await this.clock.now(caller);
    const pass = await this.extensions.gate(context);
    return { ...asked, customer, walletId, price, issuer, now, transactionId: context.objectId, pass };
  }

  private async customerOf(caller: Caller, { customerId, customer }: NewCard): Promise<Customer> {
    if ((customerId === null) === (customer === null))
      throw new InvalidCardRequest('/customer_id', 'Send either customer_id or customer.');
    if (!customer) {
      const known = await this.customers.require(caller, decodeId('cus', customerId!), '/customer_id');
      if (known.anonymizedAt !== null) throw new CustomerAnonymized(known.id, '/customer_id');
      return known;
    }
    await this.customers.requireRoom(caller);
    return this.customers.rowOf(caller, customer);
  }

  /** The first issuer of the routes, after the filters of `svc_payment_gateway`. Throws `IssuerUnavailable`. */
  private async issuerFor(brand: Brand, context: PaymentContext): Promise<IssuerChoice> {
    const wanted = { product: 'cards', network: brand } as const;
    const nobody = `nobody can issue a ${brand} card now`;
    const { names, options, changes } = await this.routes.choose(wanted, context, { nobody });
    const [name] = names;
    if (name === undefined) throw new IssuerUnavailable();
    return { name, options: options[name] ?? {}, changes };
  }
}

const describe = (id: string) => ({ id: encodeId('wal', id), param: '/funding_wallet_id' });

interface About {
  readonly customer: Customer;
  readonly walletId: string;
  readonly dryRun: boolean;
}

const contextOf = (
  { accountId, livemode, requestId }: Caller,
  order: NewCard,
  { customer, walletId, dryRun }: About,
): PaymentContext => ({
  operation: 'card_issue',
  accountId,
  livemode,
  objectType: 'txn',
  objectId: newId(),
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: CURRENCY,
    walletId,
    recipient: order.customer ? null : customer.id,
    network: order.brand,
    reference: order.reference,
    metadata: order.metadata,
    details: { brand: order.brand, customer_country: customer.address.country },
  },
});
