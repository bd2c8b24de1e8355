import { ApiProperty } from '@nestjs/swagger';
import { encodeId } from '../../core/http/ids';
import { toJsonNumber } from '../../core/money/money';
import { PLATFORM_ACCOUNT_ID, type Posted } from '../ledger/ledger.types';

/** A line that the ledger would write for a dry run. Minor units. */
export class LedgerLineDto {
  /** Null for a card and for an account of the platform. */
  wallet_id: string | null;
  card_id: string | null;
  @ApiProperty({ enum: ['available', 'held'] })
  bucket: 'available' | 'held';
  /** Signed. @example -5000 */
  amount: number;
  /** Null for an account that is not yours. */
  balance_after: number | null;

  /** The lines of a preview, as the account that asked may see them. */
  static listOf({ entries }: Posted, accountId: string, cardId: string | null = null): LedgerLineDto[] {
    const isWallet = (entry: Posted['entries'][number]) =>
      entry.accountId !== PLATFORM_ACCOUNT_ID && entry.ledgerAccountId !== cardId;
    return entries.map((entry) => ({
      wallet_id: isWallet(entry) ? encodeId('wal', entry.ledgerAccountId) : null,
      card_id: entry.ledgerAccountId === cardId ? encodeId('crd', cardId) : null,
      bucket: entry.bucket,
      amount: toJsonNumber(entry.amount),
      balance_after:
        entry.accountId === accountId
          ? toJsonNumber(entry.bucket === 'held' ? entry.heldAfter : entry.availableAfter)
          : null,
    }));
  }
}
