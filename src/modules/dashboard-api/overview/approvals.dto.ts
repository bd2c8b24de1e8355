import { OneOf, Text } from '../../../core/http/fields';
import { TransactionDto } from '../../transactions/transaction.dto';

const DECISIONS = ['approved', 'declined'] as const;
const REASON_MAX = 200;

export class DecideDto {
  @OneOf(DECISIONS)
  decision: (typeof DECISIONS)[number];

  /** Kept in the audit log. */
  @Text(REASON_MAX, { optional: true })
  reason?: string | null;
}

/** Somebody of the account. */
export class PersonNameDto {
  name: string;
  email: string;
}

/** Who asked for a payout or a refund, and who let it go or did not. */
export class NeededApprovalDto {
  transaction: TransactionDto;
  /** Null: an API key did. */
  made_by: PersonNameDto | null;
  /** Nobody else may approve it, and whoever made it may not. */
  is_mine: boolean;
  decided_by: PersonNameDto | null;
  decided_at: Date | null;
  reason: string | null;
}

export class NeededApprovalsDto {
  data: NeededApprovalDto[];
  /** More wait than are shown. */
  has_more: boolean;
}
