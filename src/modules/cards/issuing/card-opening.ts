import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/clock';
import type { Write } from '../../../core/database/bulk';
import { retryChanged } from '../../../core/database/unit-of-work';
import { FieldRefused, found } from '../../../core/errors/domain-error';
import { Extensions, type Pass } from '../../../core/extension/extensions';
import type { FilterChange, PaymentContext } from '../../../core/extension/points';
import type { Caller } from '../../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../../core/http/ids';
import type { Claim, Likeness, RequestClaim } from '../../../core/idempotency/claim';
import { ProviderUnavailable, Routes } from '../../../providers/routes';
import { totalOf, type Cost } from '../../../core/money/bought';
import {
  type Exchange,
  ExchangeService,
  exchangeWrites,
  type WantedExchange,
} from '../../conversions/exchange.service';
import { LedgerAccountsService } from '../../ledger/accounts.service';
import { LedgerService } from '../../ledger/ledger.service';
import type { Posted, Posting, Replayed } from '../../ledger/posting';
import { FeesService, type Priced } from '../../accounts/fees.service';
import {
  finalTransaction,
  openTransactionWrite,
  type TransactionRecord,
} from '../../transactions/transactions.service';
import { lowBalanceEvents } from '../../wallets/wallets.service';
import type { Brand } from '../card-issuer';
import { byOwner, cardWrite, EMPTY, LATER, later, transitionWrite } from '../cards.service';
import type { Card, CardRecord, SaidOfCard } from '../card.entity';
import type { Customer } from '../customers/customer.entity';
import {
  CustomerAnonymized,
  CustomerNotVerified,
  CustomersService,
  customerWrite,
  mayHoldCards,
  type NewCustomer,
} from '../customers/customers.service';

/** A card as it is asked for. */
export interface NewCard {
  /** Public id; null: `customer` is made with the card. */
  readonly customerId: string | null;
  readonly customer: NewCustomer | null;
  readonly said: SaidOfCard;
  /** First load, in cents. */
  readonly amount: bigint;
  /** Public id. */
  readonly fundingWalletId: string;
  /** The wallet is in another currency; null: it is not. */
  readonly exchange: WantedExchange | null;
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
  /** What leaves the wallet, in its own currency. */
  readonly paid: Cost;
  /** Where that is another one than the card's. */
  readonly exchange: Exchange | null;
  readonly issuer: IssuerChoice;
  /** Of the account's clock. */
  readonly now: Date;
  readonly transactionId: string;
  /** What counts it against the limits of the cardholder. */
  readonly counted: readonly Write[];
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
/** So many declines in a row for want of money, and the owner is warned, or the card is terminated. */
const DECLINE_POLICY = { warnAt: 5, terminateAt: 8 };
/** A process that dies while it asks leaves the card to whoever looks after this time. */
const ABANDONED_AFTER_MS = 30_000;

/** A card on its way into the books: the posting of its hold, and the rows that go with it. */
class CardIssueDraft {
  private readonly id: string;
  private readonly transactionId: string;

  constructor(
    readonly agreed: AgreedCard,
    private readonly accounts: LedgerAccountsService,
  ) {
    this.id = newIdOf(agreed.caller.accountId);
    this.transactionId = agreed.transactionId;
  }

  /** Claims, opens the card's account and holds load and fee: the issuer may be asked when it is committed. */
  posting(): Posting {
    const {
      caller: { accountId, livemode },
      paid,
      walletId,
    } = this.agreed;
    return {
      id: this.transactionId,
      accountId,
      livemode,
      currency: paid.currency,
      among: 'wallet',
      lines: [],
      holds: [
        {
          kind: 'open',
          holdId: this.transactionId,
          ledgerAccountId: walletId,
          amount: totalOf(paid),
          transactionId: this.transactionId,
        },
      ],
      claim: this.claim,
      writes: (posted) => this.writes(posted),
    };
  }

  /** The card and its record, as the posting leaves them. */
  made(posted: Posted): IssuingCard {
    return { card: this.card(posted.at), transaction: this.transaction(posted) };
  }

  private get claim(): Claim {
    const {
      caller: { accountId, livemode },
      order: { said },
      request,
      likeness,
    } = this.agreed;
    return {
      accountId,
      livemode,
      ...request,
      reference: said.reference,
      resource: 'crd',
      resourceId: this.id,
      likeness,
    };
  }

  private writes(posted: Posted): Write[] {
    const { caller, order, customer, request, walletId, counted, exchange, pass } = this.agreed;
    const { accountId, livemode, requestId } = caller;
    const { card, transaction } = this.made(posted);
    const { id } = card;
    // As the wallet has it, behind the lock that whoever freezes an account takes, too.
    const accountFreeze = posted.account(walletId).freezes.find(({ by }) => by === 'operator') ?? null;
    return [
      this.accounts.open({
        accountId,
        livemode,
        id,
        name: 'card',
        currency: CURRENCY,
        alertBelow: null,
        accountFreeze,
      }),
      ...(order.customer ? [customerWrite(customer)] : []),
      cardWrite(card),
      transitionWrite(card, null, byOwner(caller)),
      openTransactionWrite(transaction),
      ...counted,
      ...exchangeWrites(exchange, this.transactionId),
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
    return {
      accountId,
      livemode,
      id: this.id,
      customerId: customer.id,
      walletId,
      transactionId: this.transactionId,
      ...order.said,
      ...LATER,
      currency: CURRENCY,
      status: 'pending',
      issuer: issuer.name,
      issuerOptions: { ...issuer.options },
      nameOnCard: `${customer.firstName} ${customer.lastName}`.toUpperCase().slice(0, NAME_MAX).trim(),
      billingAddress: customer.address,
      declines: 0,
      ...DECLINE_POLICY,
      askedAt: now,
      nextCheckAt: later(now, ABANDONED_AFTER_MS),
      requestId,
      idempotencyKey: request.key,
      updatedAt: at,
    };
  }

  private transaction(posted: Posted): TransactionRecord {
    const {
      caller: { accountId, livemode },
      order: { said },
      price: { breakdown },
      paid: { currency, amount, fee },
      exchange,
      issuer,
      walletId,
      now,
    } = this.agreed;
    const { available } = posted.account(walletId);
    const final = finalTransaction({
      accountId,
      livemode,
      id: this.transactionId,
      walletId,
      type: 'card_issue',
      direction: 'debit',
      amount,
      fee,
      currency,
      reference: said.reference,
      metadata: { ...said.metadata },
      sourceId: this.id,
      balanceBefore: available + amount + fee,
      balanceAfter: available,
      at: posted.at,
    });
    return {
      ...final,
      status: 'processing',
      completedAt: null,
      recipient: encodeId('crd', this.id),
      providerName: issuer.name,
      providerAttempts: 1,
      nextCheckAt: later(now, ABANDONED_AFTER_MS),
      details: {
        ...(exchange?.details ?? { breakdown }),
        ...(issuer.changes.length > 0 && { routing: issuer.changes }),
      },
    };
  }
}

/** Agrees on new cards and writes them: claim, account, record and hold in one posting. */
@Injectable()
export class CardOpening {
  constructor(
    private readonly customers: CustomersService,
    private readonly fees: FeesService,
    private readonly exchange: ExchangeService,
    private readonly routes: Routes,
    private readonly extensions: Extensions,
    private readonly clock: Clock,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
  ) {}

  /**
   * Another request may have been the first meanwhile: then what that one made. Throws what `agree` throws,
   * `QuoteUsed`, `PostingRefused`, `IdempotencyKeyReused`, `DuplicateReference`, `LedgerUnavailable`.
   */
  open(asked: AskedCard): Promise<IssuingCard | Replayed> {
    // Another card or load of theirs may be counted meanwhile. To gates what is done then is a payment of its own.
    return retryChanged(async () => {
      const draft = await this.draft(asked, false);
      const outcome = await draft.agreed.pass.make(
        () => this.hold(draft),
        ({ status }) => status === 'posted',
      );
      return outcome.status === 'posted' ? draft.made(outcome) : outcome;
    });
  }

  /** What `open` would write now; writes nothing. */
  async preview(asked: AskedCard): Promise<CardPreview> {
    const draft = await this.draft(asked, true);
    const posted = await this.ledger.preview(draft.posting(), describe);
    return { card: { ...draft.made(posted).card, ...EMPTY }, posted };
  }

  private async hold(draft: CardIssueDraft): Promise<Posted | Replayed> {
    try {
      return await this.ledger.require(draft.posting(), describe);
    } catch (error) {
      await this.exchange.requireUnused(error, draft.agreed.exchange);
      throw error;
    }
  }

  private async draft(asked: AskedCard, dryRun: boolean): Promise<CardIssueDraft> {
    return new CardIssueDraft(await this.agree(asked, dryRun), this.accounts);
  }

  /**
   * What the card costs and who issues it, and whether it may be. Reads only. Throws `NotFound`, `CustomerAnonymized`,
   * `CustomerNotVerified`, `LimitExceeded`, `KycLimitExceeded`, `FieldRefused`, `ProviderUnavailable`,
   * `BlockedByHook`, `GateUnavailable` and what `ExchangeService.agree` throws.
   */
  private async agree(asked: AskedCard, dryRun: boolean): Promise<AgreedCard> {
    const { caller, order } = asked;
    const walletId = found(decodeId('wal', order.fundingWalletId), 'wallet', '/funding_wallet_id');
    const customer = await this.customerOf(caller, order);
    const context = contextOf(caller, order, { customer, walletId, dryRun });
    const price = await this.fees.priced('card_issue', context);
    const issuer = await this.issuerFor(order.said.brand, context);
    const now = await this.clock.now(caller);
    const counted = await this.customers.countIssue(customer, order.amount, { isNew: order.customer !== null });
    const cost = { currency: CURRENCY, amount: order.amount, fee: price.fee, commission: 0n } as const;
    const exchange = await this.exchange.agree(caller, order.exchange, {
      walletId: order.fundingWalletId,
      param: '/funding_wallet_id',
      price: cost,
      breakdown: price.breakdown,
      dryRun,
    });
    const pass = await this.extensions.gate(context);
    const paid = exchange?.paid ?? cost;
    const said = { customer, walletId, price, paid, exchange, issuer, now, counted, pass };
    return { ...asked, ...said, transactionId: context.objectId };
  }

  private async customerOf(caller: Caller, { customerId, customer }: NewCard): Promise<Customer> {
    if ((customerId === null) === (customer === null))
      throw new FieldRefused('/customer_id', 'Send either customer_id or customer.', { title: 'Validation failed' });
    if (!customer) {
      const known = await this.customers.require(caller, decodeId('cus', customerId!), '/customer_id');
      if (known.anonymizedAt !== null) throw new CustomerAnonymized(known.id, '/customer_id');
      if (!mayHoldCards(known)) throw new CustomerNotVerified(known);
      return known;
    }
    // Nobody vouches for somebody who is new.
    if (caller.livemode) throw new CustomerNotVerified(null);
    await this.customers.requireRoom(caller);
    return this.customers.rowOf(caller, customer);
  }

  /** The first issuer of the routes, after the filters of `svc_payment_gateway`. Throws `ProviderUnavailable`. */
  private async issuerFor(brand: Brand, context: PaymentContext): Promise<IssuerChoice> {
    const wanted = { product: 'cards', network: brand } as const;
    const nobody = `nobody can issue a ${brand} card now`;
    const { names, options, changes } = await this.routes.choose(wanted, context, { nobody });
    const [name] = names;
    if (name === undefined) throw new ProviderUnavailable('Nobody who issues such cards can be asked');
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
  objectId: newIdOf(accountId),
  requestId,
  dryRun,
  draft: {
    amount: order.amount,
    currency: CURRENCY,
    walletId,
    recipient: order.customer ? null : customer.id,
    network: order.said.brand,
    reference: order.said.reference,
    metadata: order.said.metadata,
    details: { brand: order.said.brand, customer_country: customer.address.country },
  },
});
