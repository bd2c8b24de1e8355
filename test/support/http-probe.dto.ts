import { Amount, CurrencyCode, DryRun, Flag, Label, Metadata, PublicId, Reference } from '../../src/core/http/fields';
import { AmountBound, DateTime, PageQuery } from '../../src/core/http/query-fields';

export class TransferBody {
  @PublicId('wal') from_wallet: string;
  @PublicId('wal') to_wallet: string;
  @Amount() amount: number;
  @CurrencyCode({ optional: true }) currency?: string | null;
  @Reference({ optional: true }) reference?: string | null;
  @Label({ optional: true }) label?: string | null;
  @Metadata({ optional: true }) metadata?: Record<string, string> | null;
  @Flag({ optional: true }) running?: boolean;
  @Flag({ optional: true }) replayed?: boolean;
  @DryRun() dry_run?: boolean;
}

export class ThingsQuery extends PageQuery {
  @DateTime({ optional: true }) created_gte?: Date;
  @AmountBound() amount_gte?: number;
  @Reference({ optional: true }) reference?: string;
}
