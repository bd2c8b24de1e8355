import { decodeId, encodeId } from '../http/ids';
import { type Currency, toJsonNumber } from './money';

/** What is bought by a payment that converts, in its own currency. Minor units. */
export interface Bought {
  /** Uuid; null in a dry run without a quote: nobody could use it. */
  readonly quoteId: string | null;
  readonly rate: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly commission: bigint;
}

/** What something costs in a currency. Minor units. */
export type Cost = Pick<Bought, 'currency' | 'amount' | 'fee' | 'commission'>;

/** What has to be paid for it. */
export const totalOf = ({ amount, fee, commission }: Omit<Cost, 'currency'>): bigint => amount + fee - commission;

/** As `details.conversion` of the transaction that paid. */
export const boughtDetails = (bought: Bought) => ({
  quote_id: bought.quoteId && encodeId('qte', bought.quoteId),
  rate: bought.rate,
  currency: bought.currency,
  amount: toJsonNumber(bought.amount),
  fee: toJsonNumber(bought.fee),
  commission: toJsonNumber(bought.commission),
  total: toJsonNumber(totalOf(bought)),
});

type Stored = ReturnType<typeof boughtDetails>;

const exactly = ({ quote_id: quoteId, rate, currency, amount, fee, commission }: Stored): Bought => ({
  quoteId: quoteId && decodeId('qte', quoteId),
  rate,
  currency,
  amount: BigInt(amount),
  fee: BigInt(fee),
  commission: BigInt(commission),
});

/** What a transaction's details say; null: nothing was converted. */
export const boughtOf = (details: Readonly<Record<string, unknown>> | null): Bought | null =>
  details?.conversion ? exactly(details.conversion as Stored) : null;

/** Of a column that keeps it in the same form. */
export const storedBought = {
  to: (bought: Bought | null): Stored | null => bought && boughtDetails(bought),
  from: (stored: Stored | null): Bought | null => stored && exactly(stored),
};
