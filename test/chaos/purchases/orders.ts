/** The orders of a run by their number: all that client, operator and reckoning must agree on. */

const FIRST_PHONE = 2_348_030_000_000;
const FIRST_AMOUNT = 5_000;

export const phoneOf = (index: number): string => `+${FIRST_PHONE + index}`;
export const indexOf = (phone: string): number => Number(phone.slice(1)) - FIRST_PHONE;

/** Minor units, and different for each order, so that none is taken for another. */
export const amountOf = (index: number): number => FIRST_AMOUNT + index;

/** `Idempotency-Key` of an order, in each of its requests. */
export const keyOf = (index: number): string => `chaos-${index}`;

const CURIOUS = 4;

/** Whose clients ask what became of it while it runs, at two processes at once. */
export const isAskedTwice = (index: number): boolean => index % CURIOUS === 0;
