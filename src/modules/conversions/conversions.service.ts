import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Write } from '../../core/database/bulk';
import { ReadPipeline, RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { isRowChanged, retryAway } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import { Extensions, type Pass } from '../../core/extension/extensions';
import type { PaymentDraft } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { LikelyDuplicate, likenessValue } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import { displayMoney } from '../../core/money/money';
import { eventWrite } from '../../core/outbox/outbox';
import type { Viewer } from '../../core/resources/resources';
import { AccountsService } from '../accounts/accounts.service';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import type { Line, Posted, Posting, Replayed } from '../ledger/posting';
import { finalTransaction, settledEvent, transactionWrite } from '../transactions/transactions.service';
import { creditedEvent, lowBalanceEvents, WalletsService } from '../wallets/wallets.service';
import { Conversion } from './conversion.entity';
import { feeLinesOf, QuotesService, type QuoteToUse, quoteUse } from './quotes.service';
import { positionOf } from './exchange.service';

export interface NewConversion {
  /** Public ids as the caller gave them. */
  readonly quoteId: string;
  readonly fromWallet: string;
  readonly toWallet: string;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate: boolean;
}

/** A conversion that would take place, with the lines it would write. */
export interface ConversionPreview {
  readonly conversion: Conversion;
  readonly posted: Posted;
}

/** Ledger accounts of the platform that take part. */
interface OtherSide {
  readonly sold: string;
  readonly bought: string;
  readonly fees: string;
}

/** Makes money of one currency out of money of another, at a rate that was quoted. */
@Injectable()
export class ConversionsService {
  /** Wallets by who owns them, which never changes. */
  private readonly owned = new LRUCache<string, true>({ max: 10_000 });
  private readonly conversions: RowLookUp<Conversion>;

  constructor(
    private readonly quotes: QuotesService,
    private readonly wallets: WalletsService,
    private readonly ledger: LedgerService,
    private readonly ledgerAccounts: LedgerAccountsService,
    private readonly accounts: AccountsService,
    private readonly extensions: Extensions,
    private readonly idempotency: Idempotency,
    reads: ReadPipeline,
  ) {
    this.conversions = new RowLookUp(reads, rows(Conversion).lookUp());
  }

  /**
   * Final at once. Throws `NotFound`, `QuoteUsed`, `QuoteExpired`, `PostingRefused` (`insufficient_funds`,
   * `currency_mismatch`, `wallet_frozen`, …), `IdempotencyKeyReused`, `DuplicateReference`, `IdempotencyKeyRequired`,
   * `LikelyDuplicate`, `BlockedByHook`, `GateUnavailable`, `LedgerUnavailable`.
   */
  async convert(caller: Caller, order: NewConversion, request: RequestClaim): Promise<Made<Conversion>> {
    const { reference } = order;
    const { accountId, livemode } = caller;
    const id = newIdOf(accountId);
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'cnv', resourceId: id };
    const work = (): Promise<Made<Conversion>> => this.carryOut(caller, order, claim);
    // A gate is not asked twice about the same request; without one the ledger knows best what was carried out before.
    if (this.hasGates) return this.idempotency.answer(claim, work, (replay) => this.replayed(caller, replay));
    try {
      return await work();
    } catch (error) {
      const earlier = await this.idempotency.replayOf(claim);
      if (earlier === null) throw error;
      return this.replayed(caller, earlier);
    }
  }

  /** What `convert` would do now; writes nothing. */
  async preview(caller: Caller, order: NewConversion): Promise<ConversionPreview> {
    const draft = await this.draft(caller, order, newIdOf(caller.accountId));
    const posted = await this.ledger.preview(draft.posting(null, []), draft.describe);
    await this.extensions.gate(draft.context(true));
    return { conversion: draft.conversion, posted };
  }

  /** The caller's conversion. Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null): Promise<Conversion> {
    return found(id === null ? null : await this.conversions.find({ accountId, livemode, id }), 'conversion');
  }

  /** Newest first, below `before`. */
  list(viewer: Viewer, before: string | null, take: number): Promise<Conversion[]> {
    return this.conversions.list(viewer, before, take);
  }

  private async carryOut(caller: Caller, order: NewConversion, claim: Claim): Promise<Made<Conversion>> {
    const draft = await this.draft(caller, order, claim.resourceId);
    const { fromWallet, toWallet, allowDuplicate } = order;
    const { sellAmount, buyAmount, reference } = draft.conversion;
    // Whoever was not answered asks for a new quote: two conversions that look alike have two.
    const likeness = await this.accounts.likenessOf(caller, { key: claim.key, reference, allowDuplicate }, () =>
      likenessValue('conversion', fromWallet, toWallet, sellAmount, buyAmount),
    );
    const pass = await this.passed(draft);
    const outcome = await pass.make(
      () => this.post(draft, { ...claim, likeness }, pass),
      ({ status }) => status === 'posted',
    );
    if (outcome.status === 'replayed') return this.replayed(caller, outcome);
    this.extensions.wake();
    return { made: draft.conversion, replayedBy: null };
  }

  private async replayed(caller: Caller, { resourceId, by }: Replay): Promise<Made<Conversion>> {
    return { made: await retryAway(() => this.require(caller, resourceId)), replayedBy: by };
  }

  private get hasGates(): boolean {
    return !this.extensions.isEmpty('svc_before_payment', 'conversion');
  }

  /** What the books would refuse no gate is asked about. */
  private async passed(draft: ConversionDraft): Promise<Pass> {
    if (this.hasGates) await retryAway(() => this.ledger.preview(draft.posting(null, []), draft.describe));
    return this.extensions.gate(draft.context(false));
  }

  private async post(draft: ConversionDraft, claim: Claim, pass: Pass): Promise<Posted | Replayed> {
    try {
      return await this.ledger.require(draft.posting(claim, pass.writes), draft.describe);
    } catch (error) {
      // Of two who use the same quote at once the second finds it used.
      const mayBeUsed = isRowChanged(error) || error instanceof LikelyDuplicate;
      if (mayBeUsed) await this.quotes.requireUnused(draft.conversion, draft.conversion.quoteId);
      this.extensions.onFault(error, draft.context(false));
      throw error;
    }
  }

  /** The wallet's uuid. Throws `NotFound` for one that is not the caller's. */
  private async own(caller: Caller, id: string | null, param: string): Promise<string> {
    const key = `${caller.accountId}/${caller.livemode}/${id}`;
    if (!this.owned.has(key)) {
      await this.wallets.require(caller, id, param);
      this.owned.set(key, true);
    }
    return id!;
  }

  private async draft(caller: Caller, order: NewConversion, id: string): Promise<ConversionDraft> {
    const quote = await this.quotes.requireUsable(caller, decodeId('qte', order.quoteId));
    const [from, to, sold, bought, fees] = await Promise.all([
      this.own(caller, decodeId('wal', order.fromWallet), '/from_wallet'),
      this.own(caller, decodeId('wal', order.toWallet), '/to_wallet'),
      this.ledgerAccounts.platform(positionOf(caller), quote.fromCurrency, caller),
      this.ledgerAccounts.platform(positionOf(caller), quote.toCurrency, caller),
      this.ledgerAccounts.platform('fees', quote.fromCurrency, caller),
    ]);
    return new ConversionDraft(
      caller,
      order,
      { id, quote, wallets: { from, to }, otherSide: { sold, bought, fees } },
      this.extensions,
    );
  }
}

interface Agreed {
  readonly id: string;
  readonly quote: QuoteToUse;
  /** Both are the caller's. */
  readonly wallets: { readonly from: string; readonly to: string };
  readonly otherSide: OtherSide;
}

/** One conversion on its way into the ledger: its posting, and the rows that go with it. */
class ConversionDraft {
  readonly conversion: Conversion;
  /** Found out here: a batch runs in the name of whoever began it. */
  private readonly causes: readonly string[];

  constructor(
    private readonly caller: Caller,
    order: NewConversion,
    private readonly agreed: Agreed,
    private readonly extensions: Extensions,
  ) {
    const { id, quote } = agreed;
    this.causes = extensions.causes();
    this.conversion = {
      accountId: caller.accountId,
      livemode: caller.livemode,
      id,
      quoteId: quote.id,
      fromWalletId: agreed.wallets.from,
      toWalletId: agreed.wallets.to,
      debitTransactionId: newIdOf(caller.accountId),
      creditTransactionId: newIdOf(caller.accountId),
      fromCurrency: quote.fromCurrency,
      toCurrency: quote.toCurrency,
      rate: quote.rate,
      sellAmount: quote.sellAmount,
      buyAmount: quote.buyAmount,
      fee: quote.fee,
      reference: order.reference,
      metadata: order.metadata,
    };
  }

  readonly describe = (id: string) => ({
    id: encodeId('wal', id),
    param: id === this.conversion.fromWalletId ? '/from_wallet' : '/to_wallet',
  });

  /** For gates and observers. */
  context(dryRun: boolean) {
    const { accountId, livemode, requestId } = this.caller;
    const { id: objectId, sellAmount: amount, fromCurrency, fromWalletId, toWalletId, ...more } = this.conversion;
    const draft: PaymentDraft = {
      amount,
      currency: fromCurrency,
      walletId: fromWalletId,
      recipient: toWalletId,
      network: null,
      reference: more.reference,
      metadata: more.metadata,
      details: { to_currency: more.toCurrency, buy_amount: more.buyAmount.toString(), rate: more.rate },
    };
    return {
      operation: 'conversion',
      accountId,
      livemode,
      objectType: 'cnv',
      objectId,
      requestId,
      dryRun,
      draft,
    } as const;
  }

  /** The platform takes what is sold and gives what is bought: each currency balances by itself. */
  posting(claim: Claim | null, more: readonly Write[]): Posting {
    const { conversion: c, agreed } = this;
    const { sold, bought, fees } = agreed.otherSide;
    const line = (
      ledgerAccountId: string,
      amount: bigint,
      transactionId: string | null,
      currency = c.fromCurrency,
    ): Line => ({ ledgerAccountId, bucket: 'available', amount, transactionId, currency });
    return {
      id: c.id,
      accountId: c.accountId,
      livemode: c.livemode,
      lines: [
        line(c.fromWalletId, -(c.sellAmount + c.fee), c.debitTransactionId),
        line(sold, c.sellAmount, null),
        ...(c.fee > 0n ? [line(fees, c.fee, null)] : []),
        line(bought, -c.buyAmount, null, c.toCurrency),
        line(c.toWalletId, c.buyAmount, c.creditTransactionId, c.toCurrency),
      ],
      claim,
      writes: (posted) => [...this.writes(posted, claim?.key ?? null), ...more],
    };
  }

  private writes(posted: Posted, idempotencyKey: string | null): Write[] {
    const { conversion: c, agreed } = this;
    const { accountId, livemode, requestId } = this.caller;
    const [debit, credit] = [posted.account(c.fromWalletId), posted.account(c.toWalletId)];
    const origin = { requestId, idempotencyKey };
    const same = { accountId, livemode, metadata: c.metadata, at: posted.at };
    const facts = { conversion_id: encodeId('cnv', c.id), rate: c.rate };
    const breakdown = feeLinesOf(agreed.quote);
    const paid = finalTransaction({
      ...same,
      id: c.debitTransactionId,
      walletId: c.fromWalletId,
      type: 'conversion_out',
      direction: 'debit',
      amount: c.sellAmount,
      fee: c.fee,
      currency: c.fromCurrency,
      counterpartyId: c.toWalletId,
      reference: c.reference,
      details: { ...facts, breakdown },
      balanceBefore: debit.available + c.sellAmount + c.fee,
      balanceAfter: debit.available,
    });
    const received = finalTransaction({
      ...same,
      id: c.creditTransactionId,
      walletId: c.toWalletId,
      type: 'conversion_in',
      direction: 'credit',
      amount: c.buyAmount,
      currency: c.toCurrency,
      counterpartyId: c.fromWalletId,
      details: { ...facts, sold: displayMoney({ amount: c.sellAmount, currency: c.fromCurrency }) },
      balanceBefore: credit.available - c.buyAmount,
      balanceAfter: credit.available,
    });
    const about = { accountId, livemode, objectType: 'cnv', objectId: c.id } as const;
    const event = eventWrite({ ...about, type: 'conversion.successful', origin });
    const arrived = { transactionId: received.id, amount: c.buyAmount, sender: c.fromWalletId, reference: c.reference };
    return [
      conversionWrite(c),
      quoteUse(agreed.quote, 'cnv', c.id),
      transactionWrite(paid),
      transactionWrite(received),
      event,
      settledEvent(paid, origin),
      settledEvent(received, origin),
      ...this.extensions.afterPayment(event, { operation: 'conversion', ...about }, this.causes),
      creditedEvent(credit, arrived, origin),
      ...lowBalanceEvents(posted, origin),
    ];
  }
}

const conversionWrite = rows(Conversion).insert();
