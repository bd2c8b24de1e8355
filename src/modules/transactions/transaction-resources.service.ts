import { Injectable } from '@nestjs/common';
import { type Caller, hasScope } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { type PresentOptions, Presents, type Viewer } from '../../core/resources/resources';
import { SecretBox } from '../../core/secrets/secret-box';
import { secretsOf, TransactionDto } from './transaction.dto';
import type { Transaction } from './transaction.entity';
import { transactionAt, type TransactionRecord, TransactionsService, versionAt } from './transactions.service';

const IS_FINAL_AT_ONCE = /^(transfer|conversion)_(in|out)$/;

@Injectable()
export class TransactionResources {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly secrets: SecretBox,
  ) {}

  @Presents('txn', 'transactions:read', { knowsThePast: true })
  async transaction(
    viewer: Viewer,
    id: string,
    { withSecrets = false, at }: PresentOptions = {},
  ): Promise<TransactionDto> {
    const transaction = await this.transactions.require(viewer, encodeId('txn', id));
    const shown = withSecrets ? TransactionDto.whole(transaction, this.secrets) : TransactionDto.of(transaction);
    if (at === undefined) return shown;
    // The only event of these is that they were made.
    if (IS_FINAL_AT_ONCE.test(transaction.type)) Object.assign(shown, { previous_status: null });
    const version = versionAt(shown, at.snapshot);
    const said = version === null ? null : await this.transactions.saidOf(transaction, version);
    return transactionAt(shown, at.snapshot, said);
  }

  /**
   * With its meter tokens and PINs for a key that may see them. People reveal them one by one, which is written down.
   */
  shownTo(caller: Caller, transaction: TransactionRecord): TransactionDto {
    const isWhole = caller.person === undefined && hasScope(caller, 'tokens:reveal');
    return isWhole ? TransactionDto.whole(transaction, this.secrets) : TransactionDto.of(transaction);
  }

  /** Its meter tokens and PINs; empty when it has none. */
  secretsOf(transaction: Transaction): Record<string, unknown> {
    return secretsOf(transaction, this.secrets);
  }
}
