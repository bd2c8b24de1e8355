import { Injectable } from '@nestjs/common';
import { found } from '../../core/errors/not-found';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { AuthorizationsService } from '../cards/authorizations.service';
import type { DeclineReason, Merchant } from '../cards/card-transaction.entity';
import { type CardTransactionResult, CardTransactionsService, type Cause } from '../cards/card-transactions.service';
import type { CardKey } from '../cards/card.entity';
import { ClearingsService } from '../cards/clearings.service';
import type { MessageKind } from '../cards/issuer-messages';
import { MissingField } from './sandbox.errors';

/** What the card network is to do. Amounts in minor units; ids are public. */
export interface Simulation {
  readonly kind: MessageKind;
  readonly amount: bigint | null;
  readonly merchant: Merchant | null;
  readonly cardTransactionId: string | null;
  readonly declineReason: DeclineReason | null;
}

const SANDBOX_SHOP: Merchant = { name: 'Sandbox Shop', mcc: '5411', country: 'US' };

/** Plays the card network for test cards. */
@Injectable()
export class SandboxCardsService {
  constructor(
    private readonly authorizations: AuthorizationsService,
    private readonly clearings: ClearingsService,
    private readonly transactions: CardTransactionsService,
  ) {}

  /** Throws `NotFound`, `MissingField` and what `AuthorizationsService` and `ClearingsService` throw. */
  async simulate(
    caller: Caller,
    cardId: string,
    simulation: Simulation,
    request: RequestClaim,
  ): Promise<CardTransactionResult> {
    const card = await this.transactions.requireCard(caller, decodeId('crd', cardId));
    const cause: Cause = { ...request, message: null, requestId: caller.requestId };
    const { kind, amount } = simulation;
    if (kind === 'clearing' || kind === 'void' || kind === 'refund') {
      return this.clearings.step(await this.authorizationOf(card, simulation), { kind, amount }, cause);
    }
    if (amount === null) throw new MissingField('amount', kind);
    if (kind === 'fee') return this.authorizations.charge(card, amount, cause);
    const order = { amount, merchant: simulation.merchant ?? SANDBOX_SHOP, issuerReference: null };
    if (kind === 'authorization') return this.authorizations.authorize(card, order, cause);
    return this.authorizations.decline(
      card,
      { ...order, reason: simulation.declineReason ?? 'merchant_declined' },
      cause,
    );
  }

  private async authorizationOf(card: CardKey, { kind, cardTransactionId }: Simulation): Promise<CardKey> {
    if (cardTransactionId === null) throw new MissingField('card_transaction_id', kind);
    const id = found(decodeId('ctx', cardTransactionId), 'card transaction', '/card_transaction_id');
    return { ...card, id: (await this.transactions.require(card, id, card.id)).id };
  }
}
