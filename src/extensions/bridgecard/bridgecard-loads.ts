import { Inject, Injectable } from '@nestjs/common';
import { needSettings, type Of } from '../../core/config/settings';
import { OnHook } from '../../core/extension/decorators';
import type { AfterPayment, BeforePayment, Verdict } from '../../core/extension/points';
import { decodeId, encodeId } from '../../core/http/ids';
import { boughtOf } from '../../core/money/bought';
import { CardsService } from '../../modules/cards/cards.service';
import { type TransactionRecord, TransactionsService } from '../../modules/transactions/transactions.service';
import { BRIDGECARD, Bridgecard, centsOf, ISSUER, limitsOf } from './bridgecard';
import { movedOnce } from './bridgecard-moves';

/** A load asks Bridgecard three times at most, mostly. */
const LOAD_MS = 15_000;

/**
 * Keeps what a card has at Bridgecard in step with its account here: loads are repeated there, and what could not be
 * repeated in time is refused. Bridgecard lets cardholders spend by what it has, not by our books.
 */
@Injectable()
export class BridgecardLoads {
  constructor(
    @Inject(BRIDGECARD) private readonly settings: Of<typeof BRIDGECARD>,
    private readonly bridgecard: Bridgecard,
    private readonly cards: CardsService,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * A withdrawal is final here at once, and an unload takes Bridgecard minutes in which the same money could be spent
   * again.
   */
  @OnHook('svc_before_payment', { id: 'bridgecard.gate', operations: ['card_funding', 'card_withdrawal'] })
  async check({ accountId, livemode, operation, draft }: BeforePayment): Promise<Verdict> {
    if (!livemode || draft.recipient === null) return;
    const card = await this.cards.require({ accountId, livemode }, draft.recipient);
    if (card.issuer !== ISSUER) return;
    if (operation === 'card_withdrawal') return NO_WITHDRAWAL;
    const { holds, kept } = limitsOf(this.settings);
    if (card.available + card.held + draft.amount + kept > holds) return TOO_HIGH;
  }

  /** Throws until the load is on the card at Bridgecard: then it is told again. */
  @OnHook('svc_after_payment', { id: 'bridgecard.load', operations: ['card_funding'], timeoutMs: LOAD_MS })
  async load({ accountId, livemode, objectId }: AfterPayment, signal: AbortSignal): Promise<void> {
    const owner = { accountId, livemode };
    if (!livemode) return;
    const load = loadOf(await this.transactions.require(owner, encodeId('txn', objectId)));
    if (load === null) return;
    const card = await this.cards.require(owner, load.cardId);
    // What a card that ended had went back to the wallet, from here on it gets nothing.
    if (card.issuer !== ISSUER || card.issuerReference === null || card.status === 'terminated') return;
    const move = { direction: 'fund', card: card.issuerReference, amount: load.amount, reference: objectId } as const;
    const result = await movedOnce(this.bridgecard, move, signal);
    if (result !== 'done') throw new Error('the load is not on the card at Bridgecard yet');
  }
}

needSettings(BRIDGECARD, BridgecardLoads);

const NO_WITHDRAWAL: Verdict = {
  veto: true,
  code: 'withdrawal_not_supported',
  message: 'Nothing can be withdrawn from a card of this issuer. Terminate it: what it has comes back.',
};

const TOO_HIGH: Verdict = {
  veto: true,
  code: 'card_balance_too_high',
  message: 'The issuer does not let the card hold as much.',
};

/** What a record brought onto a card; null: nothing that the issuer lacks. Minor units of the card's currency. */
export function loadOf(
  t: Pick<TransactionRecord, 'type' | 'status' | 'amount' | 'recipient' | 'details'>,
): { readonly cardId: string; readonly amount: bigint } | null {
  const { details, recipient } = t;
  // The wallet paid for a clearing: that money has gone at the issuer.
  const isForClearing = details?.card_transaction_id !== undefined;
  if (t.type !== 'card_funding' || t.status !== 'successful' || isForClearing) return null;
  const cardId = recipient === null ? null : decodeId('crd', recipient);
  // What pays a debt has gone there, too.
  const amount = (boughtOf(details)?.amount ?? t.amount) - (centsOf(details?.debt_paid) ?? 0n);
  return cardId === null || amount <= 0n ? null : { cardId, amount };
}
