import { Injectable } from '@nestjs/common';
import { retryChanged } from '../../core/database/unit-of-work';
import { Extensions } from '../../core/extension/extensions';
import type { PaymentContext } from '../../core/extension/points';
import type { Caller } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Made, Replay, RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import type { EventOrigin } from '../../core/outbox/outbox';
import { AccountsService } from '../accounts/accounts.service';
import { ExchangeService, type WantedExchange } from '../conversions/exchange.service';
import type { Posted } from '../ledger/posting';
import { FeesService } from '../accounts/fees.service';
import type { TransactionRecord } from '../transactions/transactions.service';
import type { CardRecord } from './card.entity';
import { CardsService } from './cards.service';
import { CustomersService } from './customers/customers.service';
import { assertMovable, type CardMoveDraft, CardPostings, isOvertaken } from './money/card-postings';

/** How many cards a reset reads at once. */
const PAGE_ROWS = 100;

/** Money that goes onto a card or comes back from it. */
export interface CardMove {
  readonly type: 'card_funding' | 'card_withdrawal';
  /** Minor units. */
  readonly amount: bigint;
  /** Public id; null: the wallet that paid the card. */
  readonly walletId: string | null;
  /** Of a load: the wallet is in another currency; null: it is not. */
  readonly exchange: WantedExchange | null;
  readonly reference: string | null;
  readonly metadata: Record<string, string>;
  /** A repetition of what was asked for moments ago is meant. */
  readonly allowDuplicate: boolean;
}

/** Who asks for a movement, and on which card. */
interface Asked {
  readonly caller: Caller;
  readonly card: CardRecord;
  readonly move: CardMove;
  readonly idempotencyKey: string | null;
}

/** Loads cards and takes money back from them. The issuer is not asked: it has no balance of a card. */
@Injectable()
export class CardMoneyService {
  constructor(
    private readonly cards: CardsService,
    private readonly customers: CustomersService,
    private readonly fees: FeesService,
    private readonly exchange: ExchangeService,
    private readonly extensions: Extensions,
    private readonly postings: CardPostings,
    private readonly idempotency: Idempotency,
    private readonly accounts: AccountsService,
  ) {}

  /**
   * Final at once; answers with the transaction uuid. Throws `NotFound`, `CardNotActive`, `KycLimitExceeded`,
   * `BlockedByHook`, `GateUnavailable`, and what `ExchangeService.agree` and `CardPostings.carryOut` throw.
   */
  async move(caller: Caller, cardId: string | null, move: CardMove, request: RequestClaim): Promise<Made<string>> {
    const { accountId, livemode } = caller;
    const likeness = await this.accounts.likenessOf(caller, { key: request.key, ...move }, () =>
      likenessValue(move.type, cardId, move.amount),
    );
    const claimOf = (resourceId: string): Claim => ({
      accountId,
      livemode,
      ...request,
      reference: move.reference,
      resource: 'txn',
      resourceId,
      likeness,
    });
    const work = async (): Promise<Made<string>> => {
      const card = await this.cards.require(caller, cardId);
      const draft = await this.agree({ caller, card, move, idempotencyKey: request.key }, false);
      const outcome = await draft.pass.make(
        () => this.postings.carryOut(draft, claimOf(draft.id)),
        ({ status }) => status === 'posted',
      );
      return outcome.status === 'replayed' ? resultOf(outcome) : { made: draft.id, replayedBy: null };
    };
    // A card that was changed between reading and writing may not be moved any more, as it is now. To gates that is a
    // payment of its own; the one before was refused.
    return this.idempotency.answer(claimOf(newIdOf(accountId)), () => retryChanged(work), resultOf);
  }

  /** What `move` would do now; writes nothing. */
  async preview(
    caller: Caller,
    cardId: string | null,
    move: CardMove,
  ): Promise<{ transaction: TransactionRecord; posted: Posted }> {
    const card = await this.cards.require(caller, cardId);
    const draft = await this.agree({ caller, card, move, idempotencyKey: null }, true);
    const posted = await this.postings.preview(draft);
    return { transaction: draft.record(posted), posted };
  }

  /**
   * Takes test money off cards, for a reset of the sandbox: everything that can be spent goes back to the wallets,
   * whatever state the cards are in; what is held stays until what holds it ends.
   */
  async emptyAll(caller: Caller, idempotencyKey: string | null): Promise<void> {
    for (let before: string | null = null; ;) {
      const page: CardRecord[] = await this.cards.list(caller, {}, before, PAGE_ROWS);
      for (const card of page) await this.empty(card, { requestId: caller.requestId, idempotencyKey });
      if (page.length < PAGE_ROWS) return;
      before = page.at(-1)!.id;
    }
  }

  private async agree({ caller, card, move, idempotencyKey }: Asked, dryRun: boolean): Promise<CardMoveDraft> {
    assertMovable(card, move);
    const walletId = await this.postings.requireWallet(
      caller,
      move.walletId === null ? card.walletId : decodeId('wal', move.walletId),
    );
    const context = contextOf({ caller, card, move, idempotencyKey }, walletId, dryRun);
    const { fee, breakdown } = await this.fees.priced(move.type, context);
    const { type, amount, reference, metadata } = move;
    const counted = type === 'card_funding' ? await this.customers.countLoad(card, amount) : [];
    const exchange = await this.exchange.agree(caller, move.exchange, {
      walletId: encodeId('wal', walletId),
      param: '/wallet_id',
      price: { currency: card.currency, amount, fee, commission: 0n },
      breakdown,
      dryRun,
    });
    const pass = await this.extensions.gate(context);
    const origin = { requestId: caller.requestId, idempotencyKey };
    const event = type === 'card_funding' ? 'card.funded' : 'card.withdrawn';
    const movement = { card, type, walletId, amount, fee, breakdown, exchange, reference, metadata, event } as const;
    return this.postings.draft({ ...movement, origin, counted }, { id: context.objectId, pass });
  }

  private async empty(card: CardRecord, origin: EventOrigin): Promise<void> {
    if (card.available === 0n) return;
    const to = await this.postings.receiverOf(card);
    if (to === null) return;
    try {
      await this.postings.withdrawAll(card, { to, origin });
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      await this.empty(await this.cards.require(card, card.id), origin);
    }
  }
}

const resultOf = ({ by, resourceId }: Replay): Made<string> => ({ made: resourceId, replayedBy: by });

const contextOf = (
  { caller: { accountId, livemode, requestId }, card, move }: Asked,
  walletId: string,
  dryRun: boolean,
): PaymentContext => ({
  operation: move.type,
  accountId,
  livemode,
  objectType: 'txn',
  objectId: newIdOf(accountId),
  requestId,
  dryRun,
  draft: {
    amount: move.amount,
    currency: card.currency,
    walletId,
    recipient: card.id,
    network: card.brand,
    reference: move.reference,
    metadata: move.metadata,
    details: { card_status: card.status },
  },
});
