<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

/** Types of events; there may be more. */
enum EventType: string
{
    case TransactionAwaitingApproval = 'transaction.awaiting_approval';
    case TransactionProcessing = 'transaction.processing';
    case TransactionSuccessful = 'transaction.successful';
    case TransactionFailed = 'transaction.failed';
    case TransactionReversed = 'transaction.reversed';
    case TransactionCancelled = 'transaction.cancelled';
    case TransactionNeedsReview = 'transaction.needs_review';
    case TransferSuccessful = 'transfer.successful';
    case ConversionSuccessful = 'conversion.successful';
    case BatchValidating = 'batch.validating';
    case BatchScheduled = 'batch.scheduled';
    case BatchRunning = 'batch.running';
    case BatchProgressed = 'batch.progressed';
    case BatchPaused = 'batch.paused';
    case BatchCompleted = 'batch.completed';
    case BatchInvalid = 'batch.invalid';
    case BatchFailed = 'batch.failed';
    case BatchCancelled = 'batch.cancelled';
    case PaymentSuccessful = 'payment.successful';
    case PaymentFailed = 'payment.failed';
    case PaymentExpired = 'payment.expired';
    case PaymentCancelled = 'payment.cancelled';
    case PaymentPartiallyReversed = 'payment.partially_reversed';
    case PaymentReversed = 'payment.reversed';
    case PaymentNeedsReview = 'payment.needs_review';
    case RefundAwaitingApproval = 'refund.awaiting_approval';
    case RefundProcessing = 'refund.processing';
    case RefundSuccessful = 'refund.successful';
    case RefundFailed = 'refund.failed';
    case RefundCancelled = 'refund.cancelled';
    case RefundNeedsReview = 'refund.needs_review';
    case DepositReceived = 'deposit.received';
    case DepositNeedsReview = 'deposit.needs_review';
    case DepositReturned = 'deposit.returned';
    case CardIssued = 'card.issued';
    case CardIssueFailed = 'card.issue_failed';
    case CardNeedsReview = 'card.needs_review';
    case CardFunded = 'card.funded';
    case CardWithdrawn = 'card.withdrawn';
    case CardFrozen = 'card.frozen';
    case CardUnfrozen = 'card.unfrozen';
    case CardBlocked = 'card.blocked';
    case CardTerminated = 'card.terminated';
    case CardExpired = 'card.expired';
    case CardOverdrawn = 'card.overdrawn';
    case CardDeclineWarning = 'card.decline_warning';
    case CardAuthenticationCode = 'card.authentication_code';
    case CardTransactionAuthorized = 'card.transaction.authorized';
    case CardTransactionSettled = 'card.transaction.settled';
    case CardTransactionDeclined = 'card.transaction.declined';
    case CardTransactionVoided = 'card.transaction.voided';
    case CardTransactionExpired = 'card.transaction.expired';
    case CardTransactionRefunded = 'card.transaction.refunded';
    case CustomerVerified = 'customer.verified';
    case CustomerRejected = 'customer.rejected';
    case CustomerNeedsReview = 'customer.needs_review';
    case DisputeOpened = 'dispute.opened';
    case DisputeUnderReview = 'dispute.under_review';
    case DisputeWon = 'dispute.won';
    case DisputeLost = 'dispute.lost';
    case DisputeWithdrawn = 'dispute.withdrawn';
    case DisputeNeedsReview = 'dispute.needs_review';
    case WalletCreated = 'wallet.created';
    case WalletUpdated = 'wallet.updated';
    case WalletCredited = 'wallet.credited';
    case WalletLowBalance = 'wallet.low_balance';
    case WalletFrozen = 'wallet.frozen';
    case WalletUnfrozen = 'wallet.unfrozen';
    case WalletClosed = 'wallet.closed';
    case DayClosed = 'day.closed';
    case ReportReady = 'report.ready';
    case ReportFailed = 'report.failed';
    case CatalogueUpdated = 'catalogue.updated';
    case BillerStatusChanged = 'biller.status_changed';
    case WebhookEndpointFailing = 'webhook_endpoint.failing';
    case WebhookEndpointDisabled = 'webhook_endpoint.disabled';
    case WebhookEndpointRecovered = 'webhook_endpoint.recovered';
    case WebhookEndpointSecretRotated = 'webhook_endpoint.secret_rotated';
    case WebhookEndpointTest = 'webhook_endpoint.test';
}
