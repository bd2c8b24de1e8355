import { Injectable } from '@nestjs/common';
import { DomainError, FieldRefused, found } from '../../core/errors/domain-error';
import type { Caller, Key } from '../../core/http/caller';
import { decodeId, encodeId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { claimOfAccount } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import { AuthorizationsService } from '../cards/authorizations.service';
import type { CardAuthenticationDto } from '../cards/card-authentication.dto';
import { CardAuthentications } from '../cards/card-authentications.service';
import type { CardTransaction, DeclineReason, Merchant, Told } from '../cards/card-transaction.entity';
import { CardTransactionsService, type Cause } from '../cards/card-transactions.service';
import { ClearingsService } from '../cards/clearings.service';
import type { MessageKind } from '../cards/issuer-messages';
import { PurchaseRequeries } from '../purchases/purchase-requeries';
import { SandboxOperator } from '../purchases/sandbox-operator.service';
import type { OutageMode, SettledAs } from '../purchases/sandbox/scenarios';
import { type TransactionRecord, TransactionsService } from '../transactions/transactions.service';

/** The operator of the sandbox holds nothing that could be settled so. */
class NothingToSettle extends DomainError {
  constructor({ id, type, status }: { id: string; type: string; status: string }, as: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail:
        `${encodeId('txn', id)} is a ${type} that is ${status}: it cannot be settled as ${as}. ` +
        'A purchase at a sandbox provider can: as successful or failed while it is processing, ' +
        'as reversed once it is successful.',
      resourceId: encodeId('txn', id),
    });
  }
}

/** A simulation lacks what its kind needs. */
class MissingField extends FieldRefused {
  constructor(field: string, kind: string) {
    super(`/${field}`, `${field} is required for a simulated ${kind}.`);
  }
}

/** The state from which a purchase can be settled. */
const FROM: Readonly<Record<SettledAs, TransactionRecord['status']>> = {
  successful: 'processing',
  failed: 'processing',
  reversed: 'successful',
};

/** What the card network is to do. Amounts in minor units; ids are public. */
export interface Simulation {
  readonly kind: MessageKind;
  readonly amount: bigint | null;
  readonly merchant: Merchant | null;
  readonly cardTransactionId: string | null;
  readonly declineReason: DeclineReason | null;
  /** What the issuer says beside that. */
  readonly told: Partial<Told>;
}

interface Outage {
  readonly provider: string;
  readonly mode: OutageMode;
}

const SANDBOX_SHOP: Merchant = { name: 'Sandbox Shop', mcc: '5411', country: 'US' };

/** Plays whoever is outside for a tester: the operators and providers of purchases, and the card network. */
@Injectable()
export class OutsideService {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly operator: SandboxOperator,
    private readonly requeries: PurchaseRequeries,
    private readonly idempotency: Idempotency,
    private readonly authorizations: AuthorizationsService,
    private readonly clearings: ClearingsService,
    private readonly cardTransactions: CardTransactionsService,
    private readonly authentications: CardAuthentications,
  ) {}

  /**
   * Lets the operator of a purchase say so, and asks it at once: a process may have died between the two, so a request
   * that is sent again asks, too, where that has changed nothing yet. Throws `NotFound`, `NothingToSettle`,
   * `IdempotencyKeyReused`.
   */
  async settle(caller: Caller, id: string, as: SettledAs, request: RequestClaim): Promise<Made<TransactionRecord>> {
    const { accountId, livemode } = caller;
    const transaction = await this.transactions.require(caller, id);
    const claim = {
      accountId,
      livemode,
      ...request,
      reference: null,
      resource: 'txn',
      resourceId: transaction.id,
    } as const;
    const replay = await this.idempotency.once(claim, async (tx) => {
      if (!this.isSettleable(transaction, as)) throw new NothingToSettle(transaction, as);
      await this.operator.settle(tx, { accountId, purchaseId: transaction.id }, as);
    });
    const isHeard = replay !== null && transaction.status !== FROM[as];
    const made = isHeard ? transaction : await this.requeries.requeryNow(caller, transaction.id);
    return { made, replayedBy: replay?.by ?? null };
  }

  /** Throws `NotFound`, `IdempotencyKeyReused`. */
  async setOutage(caller: Caller, { provider, mode }: Outage, request: RequestClaim): Promise<Made<Outage>> {
    const { accountId } = caller;
    const known = this.operator.scenarios.providers.find((name) => name === provider);
    const outage = { provider: found(known, 'sandbox provider', '/provider'), mode };
    return this.idempotency.change<Outage>(
      claimOfAccount(caller, request),
      async (rows) => {
        await this.operator.setOutage(accountId, outage.provider, mode, rows);
        return outage;
      },
      async () => {
        const lasting = await this.operator.listOutages(accountId);
        return lasting.find((one) => one.provider === outage.provider) ?? { ...outage, mode: 'none' };
      },
    );
  }

  /** Throws `NotFound`, `MissingField` and what `AuthorizationsService` and `ClearingsService` throw. */
  async simulate(
    caller: Caller,
    cardId: string,
    simulation: Simulation,
    request: RequestClaim,
  ): Promise<Made<CardTransaction>> {
    const card = await this.cardTransactions.requireCard(caller, decodeId('crd', cardId));
    const cause: Cause = { ...request, message: null, requestId: caller.requestId };
    const { kind, amount, told } = simulation;
    const isUnasked = (kind === 'clearing' || kind === 'refund') && simulation.cardTransactionId === null;
    if (!isUnasked && (kind === 'clearing' || kind === 'void' || kind === 'refund')) {
      return this.clearings.step(await this.authorizationOf(card, simulation), { kind, amount, told }, cause);
    }
    if (amount === null) throw new MissingField('amount', kind);
    if (kind === 'fee') return this.authorizations.charge(card, amount, cause);
    const order = { amount, merchant: simulation.merchant ?? SANDBOX_SHOP, issuerReference: null, told };
    if (kind === 'authorization') return this.authorizations.authorize(card, order, cause);
    if (kind === 'clearing' || kind === 'refund')
      return (await this.clearings.settleUnasked(card, { kind, ...order }, cause))!;
    return this.authorizations.decline(
      card,
      { ...order, reason: simulation.declineReason ?? 'merchant_declined' },
      cause,
    );
  }

  /** Has the card's issuer ask for a code. Throws `NotFound`, `IdempotencyKeyReused`. */
  async authenticate(
    caller: Caller,
    cardId: string,
    { amount, merchant }: Pick<Simulation, 'amount' | 'merchant'>,
    request: RequestClaim,
  ): Promise<Made<CardAuthenticationDto>> {
    const card = await this.cardTransactions.requireCard(caller, decodeId('crd', cardId));
    const about = { amount, currency: amount === null ? null : card.currency, merchant: merchant ?? SANDBOX_SHOP };
    return this.authentications.play(card, about, { ...request, message: null, requestId: caller.requestId });
  }

  private isSettleable({ status, providerName }: TransactionRecord, as: SettledAs): boolean {
    return status === FROM[as] && providerName !== null && this.operator.scenarios.providers.includes(providerName);
  }

  private async authorizationOf(card: Key, { kind, cardTransactionId }: Simulation): Promise<Key> {
    if (cardTransactionId === null) throw new MissingField('card_transaction_id', kind);
    const id = found(decodeId('ctx', cardTransactionId), 'card transaction', '/card_transaction_id');
    return this.cardTransactions.require(card, id, card.id);
  }
}
