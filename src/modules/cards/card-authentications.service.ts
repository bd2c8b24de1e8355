import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { bulkInsert } from '../../core/database/bulk';
import { UnitOfWork } from '../../core/database/unit-of-work';
import { found } from '../../core/errors/domain-error';
import type { Key } from '../../core/http/caller';
import { newIdOf } from '../../core/http/ids';
import type { Claim, Made } from '../../core/idempotency/claim';
import { Idempotency } from '../../core/idempotency/idempotency';
import { eventWrite } from '../../core/outbox/outbox';
import { type PresentOptions, Presents, type Viewer } from '../../core/resources/resources';
import { SecretBox } from '../../core/secrets/secret-box';
import { CardAuthenticationDto, type CardAuthenticationRow } from './card-authentication.dto';
import type { Merchant } from './card-transaction.entity';
import { type Cause, originOf } from './card-transactions.service';
import { later } from './cards.service';

/** What an issuer wants its cardholder to enter. */
export interface Authentication {
  /** 4 to 10 letters and digits. */
  readonly code: string;
  /** What is to be paid, in minor units of `currency` (ISO 4217, it need not be one of ours); null: it is not told. */
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly merchant: Merchant | null;
  /** By the account's clock. */
  readonly expiresAt: Date | null;
}

const CODE = /^[0-9A-Za-z]{4,10}$/;
/** Of the sandbox. */
const VALID_MS = 5 * 60_000;

const insertAuthentication = bulkInsert('card_authentications', {
  account_id: 'uuid',
  livemode: 'boolean',
  id: 'uuid',
  card_id: 'uuid',
  code: 'bytea',
  amount: 'bigint?',
  currency: 'text?',
  merchant: 'jsonb?',
  expires_at: 'timestamptz?',
});

const SELECT = `
  SELECT id, livemode, card_id AS "cardId", code, amount, currency, merchant, expires_at AS "expiresAt"
    FROM card_authentications WHERE account_id = $1 AND livemode = $2 AND id = $3`;

/**
 * Codes of one time (3-D Secure), on their way to endpoints that take secrets. They are kept sealed, and shown nowhere
 * else.
 */
@Injectable()
export class CardAuthentications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly idempotency: Idempotency,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Announces a code, once for its cause. Throws `IdempotencyKeyReused`, `DuplicateReference`. */
  async announce(card: Key, { code, ...about }: Authentication, cause: Cause): Promise<Made<CardAuthenticationDto>> {
    if (!CODE.test(code)) throw new Error('a message of an issuer has no code that could be entered');
    const { accountId, livemode } = card;
    const id = newIdOf(accountId);
    const { key, fingerprint, message: reference } = cause;
    const claim: Claim = { accountId, livemode, key, fingerprint, reference, resource: 'cau', resourceId: id };
    const row = insertAuthentication.row({
      account_id: accountId,
      livemode,
      id,
      card_id: card.id,
      code: this.secrets.seal(code, id),
      amount: about.amount,
      currency: about.currency,
      merchant: about.merchant && { ...about.merchant },
      expires_at: about.expiresAt,
    });
    const event = eventWrite({
      accountId,
      livemode,
      type: 'card.authentication_code',
      objectType: 'cau',
      objectId: id,
      origin: originOf(cause),
    });
    const replay = await this.idempotency.once(claim, (tx) => this.unitOfWork.write(tx, [row, event]));
    const made = await this.authentication({ accountId, livemode }, replay?.resourceId ?? id);
    return { made, replayedBy: replay?.by ?? null };
  }

  /** As the sandbox's issuer makes one: six digits, good for five minutes of the account's clock. */
  async play(card: Key, about: Pick<Authentication, 'amount' | 'currency' | 'merchant'>, cause: Cause) {
    const code = randomInt(1_000_000).toString().padStart(6, '0');
    const expiresAt = later(await this.clock.now(card), VALID_MS);
    return this.announce(card, { ...about, code, expiresAt }, cause);
  }

  @Presents('cau', 'cards:read')
  async authentication(
    { accountId, livemode }: Viewer,
    id: string,
    { withSecrets = false }: PresentOptions = {},
  ): Promise<CardAuthenticationDto> {
    const rows: CardAuthenticationRow[] = await this.dataSource.query(SELECT, [accountId, livemode, id]);
    const row = found(rows[0], 'authentication');
    return CardAuthenticationDto.of(row, withSecrets ? this.secrets.open(row.code, row.id) : null);
  }
}
