import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { configure } from 'safe-stable-stringify';
import { ReadPipeline } from '../../core/database/database.module';
import { found } from '../../core/errors/not-found';
import { AuthorizationsService } from './authorizations.service';
import type { CardKey, Cause, IssuerMessage } from './authorizations.types';
import { SELECT_CARD_OWNER } from './card-transactions.queries';
import { type CardTransactionResult, CardTransactionsService } from './card-transactions.service';

const canonicalJson = configure({ deterministic: true, bigint: true });

type Taker = (card: CardKey, message: IssuerMessage, cause: Cause) => Promise<CardTransactionResult>;

/** The door for the adapters of issuers: they read and verify what the network sends, and hand it over here. */
@Injectable()
export class AuthorizationMessages {
  private readonly takers: Record<IssuerMessage['kind'], Taker> = {
    authorization: (card, message, cause) => this.authorizations.authorize(card, orderOf(message), cause),
    decline: (card, message, cause) =>
      this.authorizations.decline(
        card,
        { ...orderOf(message), reason: message.declineReason ?? 'issuer_declined' },
        cause,
      ),
    fee: (card, { amount }, cause) => this.authorizations.charge(card, given(amount, 'amount'), cause),
    clearing: (...message) => this.step(...message),
    void: (...message) => this.step(...message),
    refund: (...message) => this.step(...message),
  };

  constructor(
    private readonly reads: ReadPipeline,
    private readonly authorizations: AuthorizationsService,
    private readonly transactions: CardTransactionsService,
  ) {}

  /**
   * Does what a message says, once: the same message again answers with what it did, another one under its id is
   * `DuplicateReference`. Throws `NotFound` for a card that is not the issuer's, and what `AuthorizationsService` throws.
   */
  async take(message: IssuerMessage): Promise<CardTransactionResult> {
    const { rows } = await this.reads.query<CardKey>(SELECT_CARD_OWNER, [message.cardId, message.issuer]);
    return this.takers[message.kind](found(rows[0], 'card'), message, causeOf(message));
  }

  private async step(card: CardKey, message: IssuerMessage, cause: Cause): Promise<CardTransactionResult> {
    const { id } = await this.transactions.requireOfIssuer(card, given(message.authorization, 'authorization'));
    return this.authorizations.step(
      { ...card, id },
      { kind: message.kind as 'clearing', amount: message.amount },
      cause,
    );
  }
}

/** Spaces keep it apart from the references of callers, which have none. */
function causeOf(message: IssuerMessage): Cause {
  const fingerprint = createHash('sha256').update(canonicalJson(message)!).digest();
  return { key: null, fingerprint, message: `issuer ${message.issuer} ${message.id}`, requestId: null };
}

const orderOf = ({ amount, merchant, authorization }: IssuerMessage) => ({
  amount: given(amount, 'amount'),
  merchant: given(merchant, 'merchant'),
  issuerReference: authorization,
});

/** What is missing is a fault of the adapter. */
function given<T>(value: T | null, name: string): T {
  if (value === null) throw new Error(`a message of an issuer has no ${name}`);
  return value;
}
