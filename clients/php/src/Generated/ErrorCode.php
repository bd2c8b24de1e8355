<?php

// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.

declare(strict_types=1);

namespace Duka\Generated;

/** Codes of errors that a key can meet; there may be more. */
enum ErrorCode: string
{
    case ValidationFailed = 'validation_failed';
    case UnknownField = 'unknown_field';
    case InvalidJson = 'invalid_json';
    case MalformedRequest = 'malformed_request';
    case AmountNotInteger = 'amount_not_integer';
    case AmountOutOfRange = 'amount_out_of_range';
    case IdempotencyKeyRequired = 'idempotency_key_required';
    case InvalidPhoneNumber = 'invalid_phone_number';
    case InvalidAccountNumber = 'invalid_account_number';
    case InvalidCsv = 'invalid_csv';
    case InvalidCursor = 'invalid_cursor';
    case MissingApiKey = 'missing_api_key';
    case InvalidApiKey = 'invalid_api_key';
    case MetricsTokenRequired = 'metrics_token_required';
    case InvalidSignature = 'invalid_signature';
    case InsufficientFunds = 'insufficient_funds';
    case LimitExceeded = 'limit_exceeded';
    case AccountFrozen = 'account_frozen';
    case InsufficientScope = 'insufficient_scope';
    case Forbidden = 'forbidden';
    case KeyModeMismatch = 'key_mode_mismatch';
    case LiveModeNotEnabled = 'live_mode_not_enabled';
    case NotFound = 'not_found';
    case MethodNotAllowed = 'method_not_allowed';
    case RequestTimeout = 'request_timeout';
    case DuplicateReference = 'duplicate_reference';
    case LikelyDuplicate = 'likely_duplicate';
    case RequestInProgress = 'request_in_progress';
    case WalletFrozen = 'wallet_frozen';
    case WalletClosed = 'wallet_closed';
    case InvalidStateTransition = 'invalid_state_transition';
    case QuoteExpired = 'quote_expired';
    case QuoteUsed = 'quote_used';
    case PriceChanged = 'price_changed';
    case PlanInactive = 'plan_inactive';
    case ValidationExpired = 'validation_expired';
    case CardholderTooYoung = 'cardholder_too_young';
    case InvalidIdentityNumber = 'invalid_identity_number';
    case CardNotActive = 'card_not_active';
    case CardOverdrawn = 'card_overdrawn';
    case CustomerAnonymized = 'customer_anonymized';
    case CardAmountExceeded = 'card_amount_exceeded';
    case NothingToTrigger = 'nothing_to_trigger';
    case ReportLinkGone = 'report_link_gone';
    case RevealGone = 'reveal_gone';
    case AlreadyMember = 'already_member';
    case LastOwner = 'last_owner';
    case PayloadTooLarge = 'payload_too_large';
    case UnsupportedMediaType = 'unsupported_media_type';
    case PriceMovesTooFar = 'price_moves_too_far';
    case NotReadyForLive = 'not_ready_for_live';
    case IdempotencyKeyReused = 'idempotency_key_reused';
    case AccountNotFound = 'account_not_found';
    case NameMismatch = 'name_mismatch';
    case BeneficiaryKindMismatch = 'beneficiary_kind_mismatch';
    case RefundExceedsPayment = 'refund_exceeds_payment';
    case RefundNotSupported = 'refund_not_supported';
    case CustomerNotVerified = 'customer_not_verified';
    case DisputeExceedsTransaction = 'dispute_exceeds_transaction';
    case DisputeNotSupported = 'dispute_not_supported';
    case QuoteAmountMismatch = 'quote_amount_mismatch';
    case SameWallet = 'same_wallet';
    case CurrencyMismatch = 'currency_mismatch';
    case NetworkNotDetected = 'network_not_detected';
    case NetworkMismatch = 'network_mismatch';
    case CustomerNotFound = 'customer_not_found';
    case ValidationMismatch = 'validation_mismatch';
    case BlockedByHook = 'blocked_by_hook';
    case TooManyRows = 'too_many_rows';
    case ReplayTooLarge = 'replay_too_large';
    case NotSellable = 'not_sellable';
    case RateLimited = 'rate_limited';
    case HeadersTooLarge = 'headers_too_large';
    case InternalError = 'internal_error';
    case RateUnavailable = 'rate_unavailable';
    case ProviderUnavailable = 'provider_unavailable';
    case ServiceUnavailable = 'service_unavailable';
}
