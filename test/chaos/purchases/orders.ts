/** The orders of a run by their number: all that client, operator and reckoning must agree on. */

const FIRST_PHONE = 2_348_030_000_000;
const FIRST_AMOUNT = 5_000;

const phoneOf = (index: number): string => `+${FIRST_PHONE + index}`;
export const indexOf = (phone: string): number => Number(phone.slice(1)) - FIRST_PHONE;

/** Minor units, and different for each order, so that none is taken for another. */
export const amountOf = (index: number): number => FIRST_AMOUNT + index;

const PAID_OUT = 3;
const ACCOUNT_DIGITS = 10;
export const PAYOUT_FEE = 5_000;

/** Every third order sends money to a bank account, whose number are the last digits of its phone. */
export const requestOf = (index: number): { path: string; body: object } => {
  const [phone, amount] = [phoneOf(index), amountOf(index)];
  if (index % PAID_OUT !== 0) return { path: '/v4/airtime/purchase', body: { phone, amount } };
  const bank = { code: '058', account_number: phone.slice(-ACCOUNT_DIGITS) };
  return { path: '/v4/payouts', body: { amount, bank } };
};

export const phoneOfAccount = (accountNumber: string): string => phoneOf(0).slice(0, -ACCOUNT_DIGITS) + accountNumber;

/** `Idempotency-Key` of an order, in each of its requests. */
export const keyOf = (index: number): string => `chaos-${index}`;

const CURIOUS = 4;

/** Whose clients ask what became of it while it runs, at two processes at once. */
export const isAskedTwice = (index: number): boolean => index % CURIOUS === 0;
