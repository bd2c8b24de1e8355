import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { encodeId } from '../../core/http/ids';
import { hasScope } from '../../core/http/scopes';
import { type PresentOptions, Presents, type Viewer } from '../../core/resources/resources';
import { SecretBox } from '../../core/secrets/secret-box';
import type { Posted } from '../ledger/posting';
import { LedgerLineDto, secretsOf, TransactionDto } from './transaction.dto';
import type { Transaction } from './transaction.entity';
import { type TransactionRecord, TransactionsService } from './transactions.service';

const IS_OF_TRANSFER = /^transfer_(in|out)$/;

@Injectable()
export class TransactionResources {
  constructor(
    private readonly transactions: TransactionsService,
    private readonly secrets: SecretBox,
  ) {}

  @Presents('txn', 'transactions:read')
  async transaction(
    viewer: Viewer,
    id: string,
    { withSecrets = false, at }: PresentOptions = {},
  ): Promise<TransactionDto> {
    const transaction = await this.transactions.require(viewer, encodeId('txn', id));
    const shown = withSecrets ? TransactionDto.whole(transaction, this.secrets) : TransactionDto.of(transaction);
    // Its only event is that it was made.
    return at && IS_OF_TRANSFER.test(transaction.type) ? Object.assign(shown, { previous_status: null }) : shown;
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

  /** A record as its own account sees it. */
  show(transaction: TransactionRecord): TransactionDto {
    return TransactionDto.of(transaction);
  }

  /**
   * The lines that a dry run would write, as the account that asked may see them. `cardId`: which of them is a card's.
   */
  lines(posted: Posted, accountId: string, cardId: string | null = null): LedgerLineDto[] {
    return LedgerLineDto.listOf(posted, accountId, cardId);
  }

  /** A transaction that a dry run would record. */
  preview({ transaction, posted }: { transaction: TransactionRecord; posted: Posted }): TransactionDto {
    const cardId = transaction.type.startsWith('card_') ? transaction.sourceId : null;
    return { ...TransactionDto.of(transaction), id: null, ledger: this.lines(posted, transaction.accountId, cardId) };
  }
}
