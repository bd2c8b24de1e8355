import { Injectable } from '@nestjs/common';
import type { Write } from '../../core/database/bulk';
import { isRowChanged } from '../../core/database/unit-of-work';
import { DomainError, FieldRefused } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import { type Currency, displayMoney, type Money } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { type FxPosition, LedgerAccountsService } from '../ledger/accounts.service';
import type { Line } from '../ledger/posting';
import { WalletsService } from '../wallets/wallets.service';
import { type Bought, boughtDetails, type Cost, totalOf } from '../../core/money/bought';
import { feeLinesOf, QuotesService, type QuoteToUse, quoteUse } from './quotes.service';

/** That a payment converts: at the rate of a quote, by its public id, or with null at that of the moment. */
export interface WantedExchange {
  readonly quoteId: string | null;
}

/** Null: nothing is converted. Throws `FieldRefused`. */
export function toWantedExchange(dto: {
  readonly quote_id?: string | null;
  readonly convert?: boolean | null;
}): WantedExchange | null {
  const { quote_id: quoteId = null, convert } = dto;
  if (quoteId !== null && convert)
    throw new FieldRefused('/convert', 'Send either /quote_id or /convert: a quote says the rate.');
  return quoteId === null && !convert ? null : { quoteId };
}

/** What is to be paid by a wallet that is in another currency. */
interface Due {
  /** Public id of the wallet. */
  readonly walletId: string;
  /** The field that names it. */
  readonly param: string;
  /** In its own currency. */
  readonly price: Cost;
  /** Where fee and commission of the price come from. */
  readonly breakdown: readonly object[];
  readonly dryRun: boolean;
}

/** How a payment converts. */
export interface Exchange {
  readonly quote: QuoteToUse;
  /** What leaves the wallet, in its own currency. */
  readonly paid: Cost;
  readonly bought: Bought;
  /** Of the transaction: `breakdown` is of what is paid, that of what is bought stands with it. */
  readonly details: { readonly breakdown: readonly object[]; readonly conversion: object };
}

/**
 * What the platform holds of each currency by conversions. Of test money each account has one of its own: nobody can
 * use up another's.
 */
export const positionOf = ({ accountId, livemode }: Viewer): FxPosition =>
  livemode ? 'fx_position' : `fx_position:${accountId}`;

/** The row that a transaction which converts uses up. */
export const exchangeWrites = (exchange: Exchange | null | undefined, transactionId: string): Write[] =>
  exchange ? [quoteUse(exchange.quote, 'txn', transactionId)] : [];

/** Payments from a wallet of another currency: the quote that each uses up, and what it turns in the books. */
@Injectable()
export class ExchangeService {
  constructor(
    private readonly quotes: QuotesService,
    private readonly wallets: WalletsService,
    private readonly accounts: LedgerAccountsService,
  ) {}

  /**
   * How a wallet pays what is due: by the quote that was given, or one of this moment; null where nothing is to be
   * converted. Nothing is written. Throws `NotFound`, `NothingToConvert`, `QuoteOfOtherCurrencies`,
   * `QuoteAmountMismatch`, `QuoteUsed`, `QuoteExpired`, `FieldRefused`, `RateUnavailable`.
   */
  async agree(caller: Caller, wanted: WantedExchange | null, due: Due): Promise<Exchange | null> {
    if (wanted === null) return null;
    const quote = await this.quoteFor(caller, wanted, due);
    const { rate, fee } = quote;
    const bought = { ...due.price, rate, quoteId: due.dryRun && !quote.isStored ? null : quote.id };
    return {
      quote,
      paid: { currency: quote.fromCurrency, amount: quote.sellAmount, fee, commission: 0n },
      bought,
      details: { breakdown: feeLinesOf(quote), conversion: { ...boughtDetails(bought), breakdown: due.breakdown } },
    };
  }

  /** Of two who use a quote at once the second fails on the row. Throws `QuoteUsed` when that is why. */
  async requireUnused(error: unknown, exchange: Exchange | null): Promise<void> {
    const quote = exchange?.quote;
    if (quote?.isStored && isRowChanged(error)) await this.quotes.requireUnused(quote, quote.id);
  }

  /**
   * The platform takes what is sold, with its fee, and gives what is bought; with -1 the other way round. Lines of what
   * is sold name no currency: it is the posting's.
   */
  async lines(owner: Viewer, sold: Omit<Cost, 'commission'>, bought: Bought, sign: 1n | -1n): Promise<Line[]> {
    const position = positionOf(owner);
    const [taken, fees, given] = await Promise.all([
      this.accounts.platform(position, sold.currency, owner),
      this.accounts.platform('fees', sold.currency, owner),
      this.accounts.platform(position, bought.currency, owner),
    ]);
    const line = (ledgerAccountId: string, amount: bigint): Line => ({
      ledgerAccountId,
      bucket: 'available',
      amount: sign * amount,
      transactionId: null,
    });
    return [
      line(taken, sold.amount),
      ...(sold.fee > 0n ? [line(fees, sold.fee)] : []),
      { ...line(given, -totalOf(bought)), currency: bought.currency },
    ];
  }

  private async quoteFor(
    caller: Caller,
    { quoteId }: WantedExchange,
    { walletId, param, price }: Due,
  ): Promise<QuoteToUse> {
    const { currency: fromCurrency } = await this.wallets.require(caller, decodeId('wal', walletId), param);
    const { currency: toCurrency } = price;
    const amount = totalOf(price);
    if (fromCurrency === toCurrency) throw new NothingToConvert(param, toCurrency);
    if (quoteId === null) {
      const wanted = { fromCurrency, toCurrency, amount, side: 'buy' } as const;
      return { ...(await this.quotes.price(caller, wanted, newIdOf(caller.accountId))), isStored: false };
    }
    const quote = await this.quotes.requireUsable(caller, decodeId('qte', quoteId));
    if (quote.fromCurrency !== fromCurrency || quote.toCurrency !== toCurrency)
      throw new QuoteOfOtherCurrencies(quote, { fromCurrency, toCurrency });
    if (quote.buyAmount !== amount) throw new QuoteAmountMismatch(quote, { amount, currency: toCurrency });
    return quote;
  }
}

/** The wallet is in the currency of what it pays. */
class NothingToConvert extends DomainError {
  constructor(param: string, currency: Currency) {
    super({
      code: 'currency_mismatch',
      kind: 'unprocessable',
      title: 'Currency mismatch',
      param,
      detail: `The wallet is in ${currency}, as what it pays is: leave out convert and quote_id.`,
    });
  }
}

class QuoteOfOtherCurrencies extends DomainError {
  constructor(quote: QuoteToUse, { fromCurrency, toCurrency }: Pick<QuoteToUse, 'fromCurrency' | 'toCurrency'>) {
    const said = `${encodeId('qte', quote.id)} is from ${quote.fromCurrency} to ${quote.toCurrency}`;
    super({
      code: 'currency_mismatch',
      kind: 'unprocessable',
      title: 'Currency mismatch',
      param: '/quote_id',
      detail: `${said}; this needs one from ${fromCurrency} to ${toCurrency}.`,
    });
  }
}

/** The quote buys more or less than what is to be paid. */
class QuoteAmountMismatch extends DomainError {
  constructor({ id, buyAmount, toCurrency: currency }: QuoteToUse, total: Money) {
    const bought = `${buyAmount} (${displayMoney({ amount: buyAmount, currency })})`;
    super({
      code: 'quote_amount_mismatch',
      kind: 'unprocessable',
      title: 'Quote of another amount',
      param: '/quote_id',
      detail: `${encodeId('qte', id)} buys ${bought}; this costs ${total.amount} (${displayMoney(total)}).`,
      figures: { expected: total.amount, actual: buyAmount },
    });
  }
}
