import type { Recovery } from '../../core/errors/domain-error';
import type { Refusal } from '../../modules/purchases/purchases.provider';

// https://developers.monnify.com/docs/error-codes, "Disbursements / Transfer", read on 2026-11-25.

/** Why a transfer was not made. */
const of = (code: string, message: string, recovery: Recovery, retryElsewhere = false): Refusal => ({
  code,
  message,
  recovery,
  retryElsewhere,
});

const INVALID_RECIPIENT = of('invalid_recipient', 'The bank does not know the account.', 'caller_must_fix');
const BARRED = of('recipient_barred', 'The account may not be paid into.', 'recipient_must_act');
const SELLS_NOTHING = of('provider_refused', 'The provider pays nothing out at the moment.', 'retry_later', true);

/** It was not made, and Monnify gives no reason that says more. */
export const FAILED = of('transfer_failed', 'The transfer failed.', 'retry_later', true);
export const EXPIRED = of('authorization_expired', 'Nobody authorized the transfer in time.', 'retry_later', true);
export const TAKEN_BACK = of('transfer_reversed', 'The bank returned the transfer.', 'retry_later', true);

/** Codes that refuse a request, where Monnify knows no transfer of the reference. D01 has its reason in words. */
export const CODES: Readonly<Record<string, Refusal>> = {
  D03: INVALID_RECIPIENT,
  D04: { ...SELLS_NOTHING, code: 'provider_float_empty' },
  D06: SELLS_NOTHING,
};

/** Sentences that end a transfer, as `plain` has them. */
export const REASONS: Readonly<Record<string, Refusal>> = {
  'invalid destination account number': INVALID_RECIPIENT,
  'dormant beneficiary account': BARRED,
  'beneficiary account name mismatch': of(
    'recipient_name_mismatch',
    'The account is in another name.',
    'caller_must_fix',
  ),
  'unknown destination bank code': of('unknown_bank', 'The provider does not know the bank.', 'caller_must_fix', true),
  'invalid amount': of('invalid_amount', 'The amount cannot be paid out.', 'caller_must_fix'),
  'post no credit restriction on beneficiary account': BARRED,
  'rejected by destination institution': of('recipient_bank_refused', 'The bank refused.', 'recipient_must_act'),
  'suspected fraud': BARRED,
  'beneficiary account limit exceeded': of(
    'recipient_limit_exceeded',
    'The account has reached a limit of its bank.',
    'recipient_must_act',
  ),
  'sender not permitted to credit beneficiary': BARRED,
  'account number could not be validated': of(
    'recipient_not_validated',
    'The bank does not confirm the account.',
    'retry_later',
    true,
  ),
  'supplied account number does not belong to merchant': SELLS_NOTHING,
  'transaction failed': FAILED,
  'system malfunction - internal service failure': FAILED,
  'system malfunction - transaction transmission unsuccessful': FAILED,
};

/** Sentences after which Monnify wants to be asked again, whatever the status beside them. */
export const ASK_AGAIN: ReadonlySet<string> = new Set([
  'transaction timed out while waiting for destination bank',
  'delayed processing from nip',
  'beneficiary bank not available',
  'invalid session id',
  'invalid response code from beneficiary institution',
  'system malfunction by destination institution',
  'unable to complete the transaction at this time',
  'transaction could not be processed at this time. please try again',
  'transaction processing in progress',
  'processor malfunction - transaction transmission failed',
]);

/** What the states of a transfer mean; one that is not here is not understood. */
export const STATES: Readonly<Record<string, 'under_way' | 'done' | 'failed' | 'expired' | 'reversed'>> = {
  PENDING: 'under_way',
  AWAITING_PROCESSING: 'under_way',
  IN_PROGRESS: 'under_way',
  PENDING_AUTHORIZATION: 'under_way',
  PENDING_BATCH_AUTHORIZATION: 'under_way',
  OTP_EMAIL_DISPATCH_FAILED: 'under_way',
  SUCCESS: 'done',
  COMPLETED: 'done',
  FAILED: 'failed',
  EXPIRED: 'expired',
  REVERSED: 'reversed',
};
