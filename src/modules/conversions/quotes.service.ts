import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { isFenced } from '../../core/cells/slot-moves';
import { Clock } from '../../core/clock/clock';
import type { Write } from '../../core/database/bulk';
import { ReadPipeline, RowLookUp } from '../../core/database/pipeline';
import { rows } from '../../core/database/rows';
import { retryAway, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, FieldRefused, found } from '../../core/errors/domain-error';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { encodeId, lowestIdAt, newIdOf } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { AMOUNT_MAX, type Currency } from '../../core/money/money';
import { Recurring } from '../../core/queue/recurring-jobs';
import type { Viewer } from '../../core/resources/resources';
import { FeesService } from '../accounts/fees.service';
import { boughtFor, rateText, soldFor } from './rate';
import { Quote, type Side } from './quote.entity';
import { RatesService } from './rates.service';

/** A quote is good for so long. */
const QUOTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** One that nothing came of is kept as long as the key that asked for it. */
const KEPT_DAYS = 31;
const CHUNK = 1_000;

const DELETE_UNUSED = `
  DELETE FROM quotes WHERE (account_id, livemode, id) IN
    (SELECT account_id, livemode, id FROM quotes
      WHERE id < $1 AND used_by IS NULL AND NOT ${isFenced('account_id')} LIMIT $2)`;

export interface NewQuote {
  readonly fromCurrency: Currency;
  readonly toCurrency: Currency;
  /** Minor units of `fromCurrency` on the side `sell`, of `toCurrency` on the side `buy`. */
  readonly amount: bigint;
  readonly side: Side;
}

class QuoteExpired extends DomainError {
  constructor({ id, expiresAt }: Quote) {
    super({
      code: 'quote_expired',
      kind: 'conflict',
      title: 'Quote expired',
      param: '/quote_id',
      detail: `${encodeId('qte', id)} was good until ${expiresAt.toISOString()}: ask for a new one.`,
      resourceId: encodeId('qte', id),
    });
  }
}

class QuoteUsed extends DomainError {
  constructor({ id, usedBy, usedByResource }: Pick<Quote, 'id' | 'usedBy' | 'usedByResource'>) {
    super({
      code: 'quote_used',
      kind: 'conflict',
      title: 'Quote used',
      param: '/quote_id',
      detail: `${encodeId('qte', id)} was used before: ask for a new one.`,
      resourceId: usedBy && encodeId(usedByResource!, usedBy),
    });
  }
}

const quotes = rows(Quote);
const quoteWrite = quotes.insert({ except: ['usedBy', 'usedByResource'] });
const usedQuoteWrite = quotes.insert({ name: 'insert_used_quotes' });
const useQuote = quotes.update({
  name: 'use_quotes',
  change: ['usedBy', 'usedByResource'],
  where: 't.used_by IS NULL',
});

/** A quote that nobody was told of is stored when it is used, any other is there. */
export interface QuoteToUse extends Quote {
  readonly isStored: boolean;
}

/** Where the fee of a quote comes from. */
export const feeLinesOf = ({ breakdown }: Quote): readonly object[] =>
  breakdown.filter((each) => (each as { kind: string }).kind.startsWith('fee'));

/** Uses a quote up: of two who do, the second fails in the database. */
export function quoteUse(
  { isStored, ...quote }: QuoteToUse,
  usedByResource: NonNullable<Quote['usedByResource']>,
  usedBy: string,
): Write {
  const used = { ...quote, usedByResource, usedBy };
  return isStored ? useQuote(used) : usedQuoteWrite(used);
}

/** Promises what a conversion costs. */
@Injectable()
export class QuotesService {
  private readonly lookUp: RowLookUp<Quote>;

  constructor(
    private readonly rates: RatesService,
    private readonly fees: FeesService,
    private readonly clock: Clock,
    private readonly idempotency: Idempotency,
    private readonly unitOfWork: UnitOfWork,
    @InjectRepository(Quote) private readonly quotes: Repository<Quote>,
    reads: ReadPipeline,
  ) {
    this.lookUp = new RowLookUp(reads, rows(Quote).lookUp());
  }

  /** Throws `SameCurrency`, `FieldRefused`, `RateUnavailable`, `IdempotencyKeyReused`. */
  async create(caller: Caller, wanted: NewQuote, request: RequestClaim): Promise<Made<Quote>> {
    const { accountId, livemode } = caller;
    const id = newIdOf(accountId);
    const claim = { accountId, livemode, ...request, reference: null, resource: 'qte', resourceId: id } as const;
    const seen = await this.idempotency.replayOf(claim);
    const made = seen === null ? await this.price(caller, wanted, id) : null;
    const replay = seen ?? (await this.idempotency.once(claim, (tx) => this.unitOfWork.write(tx, [quoteWrite(made!)])));
    if (replay === null) return { made: made!, replayedBy: null };
    return { made: await retryAway(() => this.require(caller, replay.resourceId)), replayedBy: replay.by };
  }

  /** Throws `NotFound`. */
  async require({ accountId, livemode }: Viewer, id: string | null, param?: string): Promise<Quote> {
    return found(id === null ? null : await this.lookUp.find({ accountId, livemode, id }), 'quote', param);
  }

  /** One that can be used now. Throws `NotFound`, `QuoteUsed`, `QuoteExpired`. */
  async requireUsable(owner: Viewer, id: string | null): Promise<QuoteToUse> {
    const quote = await this.requireUnused(owner, id);
    if (quote.expiresAt <= (await this.clock.now(owner))) throw new QuoteExpired(quote);
    return { ...quote, isStored: true };
  }

  /** Throws `NotFound`, `QuoteUsed`. */
  async requireUnused(owner: Viewer, id: string | null): Promise<Quote> {
    const quote = await this.require(owner, id, '/quote_id');
    if (quote.usedBy !== null) throw new QuoteUsed(quote);
    return quote;
  }

  /** In pieces: one long delete would keep its locks until its end. */
  @Recurring({ name: 'quotes.forget', everyMs: DAY_MS })
  async forget(): Promise<void> {
    const before = lowestIdAt(new Date(Date.now() - KEPT_DAYS * DAY_MS));
    for (let deleted = CHUNK; deleted === CHUNK;)
      [, deleted] = (await this.quotes.query(DELETE_UNUSED, [before, CHUNK])) as [unknown, number];
  }

  /** What a conversion costs now; nothing is stored. Throws `SameCurrency`, `FieldRefused`, `RateUnavailable`. */
  async price(caller: Caller, { fromCurrency, toCurrency, amount, side }: NewQuote, id: string): Promise<Quote> {
    const { accountId, livemode, requestId } = caller;
    const expiresAt = new Date((await this.clock.now(caller)).getTime() + QUOTE_MS);
    const { rate, mid, spreadBasisPoints, changes } = await this.rates.quoted({
      accountId,
      livemode,
      fromCurrency,
      toCurrency,
    });
    const pair = { from: fromCurrency, to: toCurrency };
    const [sellAmount, buyAmount] =
      side === 'sell' ? [amount, boughtFor(amount, rate, pair)] : [soldFor(amount, rate, pair), amount];
    if (buyAmount < 1n)
      throw amountRefused(`${amount} ${fromCurrency} buys less than one minor unit of ${toCurrency}.`);
    const context: PaymentContext = {
      operation: 'conversion',
      accountId,
      livemode,
      objectType: 'qte',
      objectId: id,
      requestId,
      dryRun: false,
      draft: {
        amount: sellAmount,
        currency: fromCurrency,
        walletId: null,
        recipient: null,
        network: null,
        reference: null,
        metadata: {},
        details: { to_currency: toCurrency, buy_amount: buyAmount.toString(), rate: rateText(rate) },
      },
    };
    if (sellAmount > AMOUNT_MAX || buyAmount > AMOUNT_MAX) throw amountRefused('One of the two amounts is too large.');
    const { fee, breakdown } = await this.fees.priced('conversion', context);
    if (sellAmount + fee > AMOUNT_MAX) throw amountRefused('The amount and its fee are too large.');
    return {
      accountId,
      livemode,
      id,
      side,
      fromCurrency,
      toCurrency,
      rate: rateText(rate),
      sellAmount,
      buyAmount,
      fee,
      breakdown: [
        ...breakdown,
        { kind: 'spread', basis_points: spreadBasisPoints, mid_rate: rateText(mid), by: 'fx_rates' },
        ...changes.map((change) => ({ kind: 'spread_filter', ...change })),
      ],
      expiresAt,
      usedBy: null,
      usedByResource: null,
    };
  }
}

const amountRefused = (detail: string) => new FieldRefused('/amount', detail, { code: 'amount_out_of_range' });
