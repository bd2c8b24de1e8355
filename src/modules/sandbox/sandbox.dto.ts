import { ApiProperty } from '@nestjs/swagger';
import { Amount, DryRun, Metadata, Reference } from '../../core/http/fields';
import { encodeId } from '../../core/http/ids';
import { CURRENCIES, type Currency } from '../../core/money/currencies';
import { TEST_AMOUNT_MAX, toJsonNumber } from '../../core/money/money';
import type { TransactionRecord } from '../transactions/transactions.service';

export class CreditWalletDto {
  @Amount({ max: TEST_AMOUNT_MAX })
  amount: number;

  @Reference({ optional: true })
  reference?: string | null;

  @Metadata({ optional: true })
  metadata?: Record<string, string> | null;

  @DryRun()
  dry_run?: boolean | null;
}

/** Test money that a reset took out of a wallet. */
export class ReturnedMoneyDto {
  wallet_id: string;
  /** Minor units. */
  amount: number;
  @ApiProperty({ enum: CURRENCIES })
  currency: Currency;
  transaction_id: string;
}

/** What a reset did. */
export class SandboxResetDto {
  @ApiProperty({ enum: ['sandbox_reset'] })
  object: 'sandbox_reset';
  returned: ReturnedMoneyDto[];
  livemode: boolean;
  created_at: Date;

  static of(returned: readonly TransactionRecord[]): SandboxResetDto {
    const money = returned.map(({ walletId, amount, currency, id }): ReturnedMoneyDto => ({
      wallet_id: encodeId('wal', walletId),
      amount: toJsonNumber(amount),
      currency,
      transaction_id: encodeId('txn', id),
    }));
    return { object: 'sandbox_reset', returned: money, livemode: false, created_at: new Date() };
  }
}
