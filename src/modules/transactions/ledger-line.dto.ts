import { ApiProperty } from '@nestjs/swagger';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { PLATFORM_ACCOUNT_ID, type Posted } from '../ledger/ledger.types';

/** A line that the ledger would write for a dry run. Minor units. */
export class LedgerLineDto {
  /** Null for an account of the platform. */
  wallet_id: string | null;
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed. @example -5000 */
  amount: number;
  /** Null for an account that is not yours. */
  balance_after: number | null;

  /** The lines of a preview, as the account that asked may see them. */
  static listOf({ entries }: Posted, accountId: string): LedgerLineDto[] {
    return entries.map((entry) => ({
      wallet_id: entry.accountId === PLATFORM_ACCOUNT_ID ? null : encodeId('wal', entry.ledgerAccountId),
      bucket: entry.bucket,
      amount: toJsonNumber(entry.amount),
      balance_after: entry.accountId === accountId ? toJsonNumber(entry.bucket === 'held' ? entry.heldAfter : entry.availableAfter) : null,
    }));
  }
}
