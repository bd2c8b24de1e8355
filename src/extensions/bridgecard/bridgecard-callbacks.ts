import type { Of } from '../../core/config/settings';
import { DomainError } from '../../core/errors/domain-error';
import type { IssuerMessages } from '../../modules/cards/issuer-messages';
import { type CallbackRequest, heard } from '../../providers/answers';
import { type BRIDGECARD, type Bridgecard, dataOf, ISSUER, type Told } from './bridgecard';
import { type Hint, messageOf, type Verified, verified } from './bridgecard-messages';

const CALL_TIMEOUT_MS = 10_000;

const RECEIVED = { received: true } as const;

/** Who is asked about what came, and who is told of it. */
export interface Listener {
  readonly settings: Of<typeof BRIDGECARD>;
  readonly bridgecard: Bridgecard;
  readonly messages: IssuerMessages;
}

/**
 * Takes what Bridgecard tells by itself: a hint, until Bridgecard was asked about it. Throws `ForgedCallback`, and what
 * the cards throw where Bridgecard is to send it again.
 */
export async function receive(listener: Listener, callback: CallbackRequest): Promise<{ readonly received: true }> {
  const genuine = await heard(
    ISSUER,
    () => verified(callback, listener.settings),
    (value) => (value as Verified | undefined) ?? { outcome: 'forged' as const },
  );
  if (genuine !== null) await take(listener, genuine.hint);
  return RECEIVED;
}

async function take({ bridgecard, messages }: Listener, hint: Hint): Promise<void> {
  const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
  const card = dataOf(await bridgecard.card(hint.card, signal), 'card_id');
  const transaction = await transactionOf(bridgecard, hint, signal);
  if (card === null || transaction === null) throw new Error('Bridgecard does not show what a webhook is about');
  const message = messageOf(hint, card, transaction);
  if (message === null) return;
  try {
    await messages.take(message);
  } catch (error) {
    if (!(error instanceof DomainError) || error.details.code !== 'duplicate_reference') throw error;
  }
}

/** By either of the two references that a transaction has: which one webhooks name is not said. */
async function transactionOf(
  bridgecard: Bridgecard,
  { card, reference }: Hint,
  signal: AbortSignal,
): Promise<Told | null> {
  for (const name of ['client_transaction_reference', 'bridgecard_transaction_reference']) {
    const query = { card_id: card, [name]: reference };
    const told = dataOf(await bridgecard.get('cards/get_card_transaction_by_id', query, signal));
    if (told !== null) return told;
  }
  return null;
}
