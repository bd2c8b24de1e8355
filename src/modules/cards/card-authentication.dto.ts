import { ApiProperty } from '@nestjs/swagger';
import { encodeId, timeOf } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { MerchantDto } from './card-transaction.dto';
import type { Merchant } from './card-transaction.entity';

const MASKED = '******';

class AuthenticationDetailsDto {
  /** What the cardholder enters: whole for endpoints with `include_secrets`, else `******`. @example "******" */
  code: string;
}

export interface CardAuthenticationRow {
  readonly id: string;
  readonly livemode: boolean;
  readonly cardId: string;
  /** Sealed for the id. */
  readonly code: Buffer;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly merchant: Merchant | null;
  readonly expiresAt: Date | null;
}

/** A code of one time that a card's issuer wants entered before it is paid with (3-D Secure). */
export class CardAuthenticationDto {
  @ApiProperty({ enum: ['card_authentication'] })
  object: 'card_authentication';
  /** @example "cau_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  /** @example "crd_01kabcdefghjkmnpqrstvwxyz0" */
  card_id: string;
  @ApiProperty({ type: () => AuthenticationDetailsDto })
  details: AuthenticationDetailsDto;
  /** What is to be paid, in minor units of `currency`. Null: the issuer did not tell. */
  amount: number | null;
  /** ISO 4217; it need not be one that wallets have. @example "USD" */
  currency: string | null;
  @ApiProperty({ type: MerchantDto, nullable: true })
  merchant: MerchantDto | null;
  /** Until when the code can be entered. Null: the issuer did not tell. */
  expires_at: Date | null;
  livemode: boolean;
  created_at: Date;

  /** `code`: null where it is not to be seen. */
  static of(this: void, row: CardAuthenticationRow, code: string | null): CardAuthenticationDto {
    return {
      object: 'card_authentication',
      id: encodeId('cau', row.id),
      card_id: encodeId('crd', row.cardId),
      details: { code: code ?? MASKED },
      amount: row.amount === null ? null : toJsonNumber(BigInt(row.amount)),
      currency: row.currency,
      merchant: row.merchant,
      expires_at: row.expiresAt,
      livemode: row.livemode,
      created_at: timeOf(row.id),
    };
  }
}
