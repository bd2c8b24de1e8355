import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { configure } from 'safe-stable-stringify';
import { Cells } from '../../core/cells/cells';
import type { Key } from '../../core/http/caller';
import { slotOf } from '../../core/http/ids';
import { ReadPipeline } from '../../core/database/pipeline';
import { found } from '../../core/errors/domain-error';
import type { Made } from '../../core/idempotency/claim';
import { AuthorizationsService } from './authorizations.service';
import { type Authentication, CardAuthentications } from './card-authentications.service';
import type { CardTransaction, DeclineReason, Merchant, Told } from './card-transaction.entity';
import { CardTransactionsService, type Cause } from './card-transactions.service';
import type { DisputeStanding } from './card-issuer';
import { ClearingsService } from './clearings.service';
import { DisputeRun } from './disputes/dispute-run';

export const MESSAGE_KINDS = ['authorization', 'clearing', 'void', 'refund', 'decline', 'fee'] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** What an issuer tells of a card, as its adapter understood it. */
export interface IssuerMessage {
  /** Name of the issuer that the adapter is registered under. */
  readonly issuer: string;
  /** The issuer's own id of this message: repeated with the same content it has no second effect. */
  readonly id: string;
  /** Uuid of the card: what the issuer was given as its reference. */
  readonly cardId: string;
  readonly kind: MessageKind;
  /** Minor units. Null: all that is left to clear, release or refund. A clearing may be of more. */
  readonly amount: bigint | null;
  /** For an authorization and a decline, and for a clearing or a refund that may be of neither. */
  readonly merchant: Merchant | null;
  /**
   * The issuer's own id of the authorization that this is, or is about; null of a clearing or a refund: there was none.
   */
  readonly authorization: string | null;
  readonly declineReason: DeclineReason | null;
  /** What the issuer says beside that; what it does not say it leaves out. */
  readonly told?: Partial<Told>;
}

/** What an issuer tells of a dispute, as its adapter understood it. Told again it has no second effect. */
export interface DisputeMessage {
  /** Name of the issuer that the adapter is registered under. */
  readonly issuer: string;
  /** Uuid of the card: what the issuer was given as its reference. */
  readonly cardId: string;
  /** Uuid of the dispute: what the issuer was given as its reference. */
  readonly disputeId: string;
  readonly standing: DisputeStanding;
}

/** A code of one time that an issuer wants entered, as its adapter understood it. */
export interface AuthenticationMessage extends Authentication, Pick<IssuerMessage, 'issuer' | 'id' | 'cardId'> {}

/** A card by its id alone, with its owner: the ledger account of the same id tells whose it is. */
const SELECT_CARD_OWNER = {
  name: 'select_card_owner',
  text: `SELECT c.account_id AS "accountId", c.livemode, c.id FROM ledger_accounts a
    JOIN cards c ON c.account_id = a.account_id AND c.livemode = a.livemode AND c.id = a.id
   WHERE a.id = $1 AND c.issuer = $2`,
};

const canonicalJson = configure({ deterministic: true, bigint: true });

type Taker = (card: Key, message: IssuerMessage, cause: Cause) => Promise<Made<CardTransaction>>;

/** The door for the adapters of issuers: they read and verify what the network sends, and hand it over here. */
@Injectable()
export class IssuerMessages {
  private readonly takers: Record<IssuerMessage['kind'], Taker> = {
    authorization: (card, message, cause) => this.authorizations.authorize(card, orderOf(message), cause),
    decline: (card, message, cause) =>
      this.authorizations.decline(
        card,
        { ...orderOf(message), reason: message.declineReason ?? 'issuer_declined' },
        cause,
      ),
    fee: (card, { amount }, cause) => this.authorizations.charge(card, given(amount, 'amount'), cause),
    clearing: (...message) => this.clear(...message),
    void: (...message) => this.step(...message),
    refund: (...message) => this.refund(...message),
  };

  constructor(
    private readonly cells: Cells,
    private readonly reads: ReadPipeline,
    private readonly authorizations: AuthorizationsService,
    private readonly clearings: ClearingsService,
    private readonly transactions: CardTransactionsService,
    private readonly disputes: DisputeRun,
    private readonly authentications: CardAuthentications,
  ) {}

  /**
   * Does what a message says, once: the same message again answers with what it did, another one under its id is
   * `DuplicateReference`. Throws `NotFound` for a card that is not the issuer's, and what `AuthorizationsService`
   * throws; `KeptElsewhere`.
   */
  async take(message: IssuerMessage): Promise<Made<CardTransaction>> {
    return this.takers[message.kind](await this.cardOf(message), message, causeOf(message));
  }

  /** Takes in how a dispute stands. Throws `NotFound` for one that is not of this card and issuer. */
  async takeDispute({ disputeId, standing, ...about }: DisputeMessage): Promise<void> {
    const { id: cardId, ...owner } = await this.cardOf(about);
    await this.disputes.told({ ...owner, id: disputeId }, cardId, standing);
  }

  /**
   * Hands a code on to endpoints that take secrets, once for the message's id. What is kept of the message to know it
   * again says nothing of the code: so short a text is found by its digest. Throws `NotFound`, `DuplicateReference`.
   */
  async takeAuthentication({ issuer, id, cardId, ...authentication }: AuthenticationMessage): Promise<void> {
    const { code: _code, ...about } = authentication;
    const cause = causeOf({ issuer, id, cardId, ...about });
    await this.authentications.announce(await this.cardOf({ issuer, cardId }), authentication, cause);
  }

  private async cardOf({ cardId, issuer }: Pick<IssuerMessage, 'cardId' | 'issuer'>): Promise<Key> {
    this.cells.requireHere(slotOf(cardId));
    const { rows } = await this.reads.query<Key>(SELECT_CARD_OWNER, [cardId, issuer]);
    return found(rows[0], 'card');
  }

  private async step(card: Key, message: IssuerMessage, cause: Cause): Promise<Made<CardTransaction>> {
    const known = await this.transactions.findOfIssuer(card, given(message.authorization, 'authorization'));
    const { id } = found(known, 'card transaction', '/card_transaction_id');
    return this.clearings.step(
      { ...card, id },
      { kind: message.kind as 'clearing', amount: message.amount, told: message.told },
      cause,
    );
  }

  /** Of an authorization that is not known, too: the network has taken the money. */
  private async clear(card: Key, message: IssuerMessage, cause: Cause): Promise<Made<CardTransaction>> {
    const { authorization: issuerReference, amount, merchant, told } = message;
    const isKnown = issuerReference !== null && (await this.transactions.findOfIssuer(card, issuerReference)) !== null;
    // All that is left of what is not known is nothing.
    if (isKnown || amount === null) return this.step(card, message, cause);
    const unasked = { kind: 'clearing', amount, merchant, issuerReference, told } as const;
    return (await this.clearings.settleUnasked(card, unasked, cause)) ?? this.step(card, message, cause);
  }

  /** Of nothing that was paid, too: the network has sent the money. */
  private async refund(card: Key, message: IssuerMessage, cause: Cause): Promise<Made<CardTransaction>> {
    const { authorization, merchant, told } = message;
    if (authorization !== null) return this.step(card, message, cause);
    const amount = given(message.amount, 'amount');
    const unasked = { kind: 'refund', amount, merchant, issuerReference: null, told } as const;
    return (await this.clearings.settleUnasked(card, unasked, cause))!;
  }
}

/** Spaces keep it apart from the references of callers, which have none. */
function causeOf(message: IssuerMessage | Omit<AuthenticationMessage, 'code'>): Cause {
  const fingerprint = createHash('sha256').update(canonicalJson(message)!).digest();
  return { key: null, fingerprint, message: `issuer ${message.issuer} ${message.id}`, requestId: null };
}

const orderOf = ({ amount, merchant, authorization, told }: IssuerMessage) => ({
  amount: given(amount, 'amount'),
  merchant: given(merchant, 'merchant'),
  issuerReference: authorization,
  told,
});

/** What is missing is a fault of the adapter. */
function given<T>(value: T | null, name: string): T {
  if (value === null) throw new Error(`a message of an issuer has no ${name}`);
  return value;
}
