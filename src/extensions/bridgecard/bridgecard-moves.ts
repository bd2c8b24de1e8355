import { type Bridgecard, dataOf } from './bridgecard';

// https://docs.bridgecard.co/reference/api-reference/usd-cards: funding and unloading are only begun by their requests,
// at most once in five minutes for a card.

/** Money between the issuing wallet and a card. */
export interface Move {
  readonly direction: 'fund' | 'unload';
  /** Bridgecard's id of it. */
  readonly card: string;
  /** Cents. */
  readonly amount: bigint;
  /** Ours, the same in every repetition: it is moved once. */
  readonly reference: string;
}

/** A move that failed is begun again, under its reference with a number behind. */
const ATTEMPTS_MAX = 5;

/**
 * Moves it, once however often it is called. `under_way`: nobody can say yet, or Bridgecard does not want it now; call
 * again later.
 */
export async function movedOnce(
  bridgecard: Bridgecard,
  move: Move,
  signal: AbortSignal,
): Promise<'done' | 'under_way'> {
  const { direction, card, amount, reference } = move;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const its = attempt === 0 ? reference : `${reference}-${attempt}`;
    let status = await statusOf(bridgecard, card, its, signal);
    if (status === null) {
      const order = { card_id: card, amount: String(amount), transaction_reference: its, currency: 'USD' };
      await bridgecard.patch(`cards/${direction}_card_asynchronously`, order, signal);
      status = await statusOf(bridgecard, card, its, signal);
    }
    if (status === 'SUCCESSFUL') return 'done';
    if (status !== 'FAILED') return 'under_way';
  }
  return 'under_way';
}

/**
 * How a move stands, in Bridgecard's word. Null: it does not say, so it may be begun; if it had been before, the
 * reference would be refused.
 */
async function statusOf(
  bridgecard: Bridgecard,
  card: string,
  reference: string,
  signal: AbortSignal,
): Promise<string | null> {
  const query = { card_id: card, client_transaction_reference: reference };
  const told = dataOf(await bridgecard.get('cards/get_card_transaction_status', query, signal));
  return typeof told?.transaction_status === 'string' ? told.transaction_status : null;
}
