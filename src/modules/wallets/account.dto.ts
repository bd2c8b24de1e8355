import { ApiProperty } from '@nestjs/swagger';
import { encodeId } from '../../core/http/ids';
import { AMOUNT_MAX, toJsonNumber } from '../../core/money/money';
import type { AccountRecord } from '../accounts/accounts.service';
import { WalletDto } from './wallet.dto';
import type { WalletRecord } from './wallets.service';

/** What a key and its account may do. */
export class LimitsDto {
  /** Of this key; 0: not limited. @example 25 */
  requests_per_second: number;
  /** How many requests may come at once; 0: not limited. @example 50 */
  burst: number;
  /** Largest amount and largest balance, in minor units. @example 9007199254740991 */
  amount_max: number;
}

/** The account behind the key. */
export class AccountDto {
  @ApiProperty({ enum: ['account'] })
  object: 'account';
  /** @example "acct_01kabcdefghjkmnpqrstvwxyz0" */
  id: string;
  name: string;
  /** The mode of the key that asks. */
  @ApiProperty({ enum: ['test', 'live'] })
  mode: 'test' | 'live';
  /** Live keys can be made. */
  live_enabled: boolean;
  /** What moves money is refused without `Idempotency-Key` or `reference`: 400 `idempotency_key_required`. */
  require_idempotency_key: boolean;
  /** The newest wallets of this mode, at most 100; `GET /v4/wallets` lists all. */
  wallets: WalletDto[];
  limits: LimitsDto;
  livemode: boolean;
  created_at: Date;

  static of(
    account: AccountRecord,
    livemode: boolean,
    wallets: readonly WalletRecord[],
    requestsPerSecond: number,
  ): AccountDto {
    return {
      id: encodeId('acct', account.id),
      object: 'account',
      name: account.name,
      mode: livemode ? 'live' : 'test',
      live_enabled: account.liveEnabled,
      require_idempotency_key: account.requireIdempotencyKey,
      wallets: wallets.map(WalletDto.of),
      limits: {
        requests_per_second: requestsPerSecond,
        burst: requestsPerSecond * 2,
        amount_max: toJsonNumber(AMOUNT_MAX),
      },
      livemode,
      created_at: account.createdAt,
    };
  }
}
