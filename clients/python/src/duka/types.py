# Made by generate.mjs from docs/api/openapi.json and docs/errors.md.
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

ErrorCode = Literal[
    "validation_failed",
    "unknown_field",
    "invalid_json",
    "malformed_request",
    "amount_not_integer",
    "amount_out_of_range",
    "idempotency_key_required",
    "invalid_phone_number",
    "invalid_account_number",
    "invalid_csv",
    "invalid_cursor",
    "missing_api_key",
    "invalid_api_key",
    "metrics_token_required",
    "invalid_signature",
    "insufficient_funds",
    "limit_exceeded",
    "account_frozen",
    "insufficient_scope",
    "forbidden",
    "key_mode_mismatch",
    "live_mode_not_enabled",
    "not_found",
    "method_not_allowed",
    "request_timeout",
    "duplicate_reference",
    "likely_duplicate",
    "request_in_progress",
    "wallet_frozen",
    "wallet_closed",
    "invalid_state_transition",
    "quote_expired",
    "quote_used",
    "price_changed",
    "plan_inactive",
    "validation_expired",
    "cardholder_too_young",
    "invalid_identity_number",
    "card_not_active",
    "card_overdrawn",
    "customer_anonymized",
    "card_amount_exceeded",
    "nothing_to_trigger",
    "report_link_gone",
    "reveal_gone",
    "already_member",
    "last_owner",
    "payload_too_large",
    "unsupported_media_type",
    "price_moves_too_far",
    "not_ready_for_live",
    "idempotency_key_reused",
    "account_not_found",
    "name_mismatch",
    "beneficiary_kind_mismatch",
    "refund_exceeds_payment",
    "refund_not_supported",
    "customer_not_verified",
    "dispute_exceeds_transaction",
    "dispute_not_supported",
    "quote_amount_mismatch",
    "same_wallet",
    "currency_mismatch",
    "network_not_detected",
    "network_mismatch",
    "customer_not_found",
    "validation_mismatch",
    "blocked_by_hook",
    "too_many_rows",
    "replay_too_large",
    "not_sellable",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "rate_unavailable",
    "provider_unavailable",
    "service_unavailable",
]
"""Codes of errors that a key can meet; there may be more."""


class Account(TypedDict):
    object: Literal["account"]
    mode: Literal["test", "live"]
    """The mode of the key that asks."""
    freeze: Optional[AccountFreeze]
    """Set by an operator: no wallet and no card of the account moves money that way."""
    id: str
    name: str
    live_enabled: bool
    """Live keys can be made."""
    require_idempotency_key: bool
    """What moves money is refused without `Idempotency-Key` or `reference`: 400
    `idempotency_key_required`.
    """
    time_zone: str
    """In which its days begin, for statements and their closing."""
    wallets: List[Wallet]
    """The newest wallets of this mode, at most 100; `GET /v4/wallets` lists all."""
    limits: Limits
    livemode: bool
    created_at: str


class AccountFreeze(TypedDict):
    direction: Literal["debit", "credit", "both"]
    """Which way money does not move."""
    until: Optional[str]
    """It ends by itself then."""


class AccountLabelScenario(TypedDict):
    label: str
    description: str
    status: str
    """Status in which the account ends up."""


class Address(TypedDict):
    line1: str
    city: str
    state: str
    postal_code: str
    country: str
    """ISO 3166-1 alpha-2."""


class AdvanceClock(TypedDict):
    seconds: int
    """How far the clock moves. Only `POST /v4/sandbox/reset` moves it back."""


class _AirtimeDetails(TypedDict):
    network_source: Literal["given", "prefix"]
    """Whether the caller named the network or the number tells."""
    phone: str
    network: str


class AirtimeDetails(_AirtimeDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    requested_amount: int
    """What was asked for, where less was delivered: `amount` is what was delivered.
    Minor units.
    """
    released_amount: int
    """What was held above the price of what was delivered, and went back. Minor units.
    """
    queued: bool
    """True while it waits for money."""
    delivered_amount: int
    """What the recipient got, once that is known. Minor units."""
    operator_reference: str
    """The operator's or biller's own reference."""
    beneficiary_id: str
    """Where one was named."""


class Approval(TypedDict):
    status: Literal["awaiting", "approved", "declined", "expired", "cancelled"]
    expires_at: str
    """Undecided until then, it is cancelled and the money is free again."""


class AuthenticateCard(TypedDict, total=False):
    amount: Optional[int]
    """Of what is to be paid, in cents."""
    merchant: Optional[SimulatedMerchant]
    """A shop of the sandbox by default."""


class AuthenticationDetails(TypedDict):
    code: str
    """What the cardholder enters: whole for endpoints with `include_secrets`, else
    `******`.
    """


class AuthorizationEndpoint(TypedDict):
    object: Literal["authorization_endpoint"]
    default: Literal["approve", "decline"]
    secret: Optional[str]
    """Signs what it is asked. In the answer that registers it only; null in every
    other.
    """
    url: str
    health: AuthorizationHealth
    livemode: bool
    version: int
    """Grows by one with each change."""
    created_at: str
    updated_at: str


class AuthorizationHealth(TypedDict):
    outcomes: Dict[str, int]
    """How many by what it said, or why it said nothing: approved, declined, timeout,
    failed, malformed, not_asked.
    """
    decisions: int
    """Authorizations that it was asked about, or would have been."""
    fallbacks: int
    """Of them, those that `default` decided."""
    latency_p50_ms: Optional[int]
    """Milliseconds that half of its answers took at most; null without any."""
    latency_p99_ms: Optional[int]
    """Milliseconds that 99 of 100 answers took at most."""


class Balance(TypedDict):
    available: int
    """Can be spent; below zero where a credit line is used."""
    held: int
    """Promised to something that is under way."""
    ledger: int
    """available + held."""
    credit_available: int
    """What is left of the credit line: can be spent beyond `available`."""


class Bank(TypedDict):
    object: Literal["bank"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    kind: Literal["bank", "microfinance", "mobile_money"]
    code: str
    """As the country's clearing house has it."""
    name: str
    country: str
    """ISO 3166-1 alpha-2."""
    account_pattern: str
    """Regular expression for a whole account number."""
    available: bool
    """A payout would reach it now."""


class BankAccount(TypedDict):
    code: str
    """One of `GET /v4/banks`."""
    account_number: str
    """As the bank's `account_pattern` describes it."""


class BankAccountDetails(TypedDict):
    bank_code: str
    account_number: str


class BankAccountScenario(TypedDict):
    account_number: str
    error_code: str
    """`code` of the problem that a request about it is answered with."""
    description: str


class BankAccountScenarios(TypedDict):
    pattern: str
    """Numbers that mean something, as a regular expression."""
    description: str
    enquiries: List[BankAccountScenario]


class BankList(TypedDict):
    object: Literal["list"]
    data: List[Bank]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class BankName(TypedDict):
    code: str
    name: str


class BankResolution(TypedDict):
    object: Literal["bank_resolution"]
    id: str
    account_name: str
    account_number: str
    bank_code: str
    expires_at: str
    """Until then a payout to the account asks the bank no more."""
    livemode: bool
    created_at: str


class _Batch(TypedDict):
    object: Literal["batch"]
    kind: Literal["airtime", "data", "bill", "transfer", "payout"]
    status: Literal[
        "validating",
        "scheduled",
        "running",
        "paused",
        "completed",
        "invalid",
        "failed",
        "cancelled",
    ]
    on_error: Literal["continue", "stop", "all_or_nothing"]
    currency: Optional[Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]]
    """Of all rows; null until they were priced."""
    shortfalls: Optional[List[BatchShortfall]]
    """Wallets that had too little when the rows were priced; null until then."""
    metadata: Dict[str, str]
    id: Optional[str]
    """Null in a dry run that was answered at once."""
    skip_invalid: bool
    dry_run: bool
    counts: BatchCounts
    totals: BatchTotals
    total_display: Optional[str]
    """`totals.total` for people, never to be parsed."""
    failure: Optional[BatchFailure]
    """Why the batch came to nothing, or was stopped."""
    wallet_id: Optional[str]
    start_at: Optional[str]
    reference: Optional[str]
    version: int
    """Grows by one with each change."""
    livemode: bool
    created_at: str
    updated_at: str
    completed_at: Optional[str]


class Batch(_Batch, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class BatchCounts(TypedDict):
    pending: int
    """Not looked at yet."""
    valid: int
    """Can be carried out, and waits for its turn."""
    invalid: int
    """Never begun: `failure` says why."""
    processing: int
    """Begun; how it ends is not known yet."""
    successful: int
    failed: int
    cancelled: int
    """Not begun before the batch ended."""


class BatchFailure(TypedDict):
    code: str
    """As the single route would have it."""
    param: Optional[str]
    """JSON pointer into the request."""
    detail: str


class BatchItem(TypedDict):
    object: Literal["batch_item"]
    status: Literal[
        "pending",
        "valid",
        "invalid",
        "processing",
        "successful",
        "failed",
        "cancelled",
    ]
    currency: Optional[Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]]
    input: Dict[str, Any]
    """As it was sent."""
    batch_id: str
    number: int
    """Its place, from 0 on."""
    reference: Optional[str]
    wallet_id: Optional[str]
    amount: Optional[int]
    fee: Optional[int]
    total: Optional[int]
    resource_id: Optional[str]
    """What it made: a transaction, or a transfer."""
    failure: Optional[BatchFailure]


class BatchItemList(TypedDict):
    object: Literal["list"]
    data: List[BatchItem]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class BatchList(TypedDict):
    object: Literal["list"]
    data: List[Batch]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class BatchShortfall(TypedDict):
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    wallet_id: str
    available: Optional[int]
    """What it could pay when the rows were priced, with its credit, in minor units.
    Null: more than a number holds.
    """
    needed: Optional[int]
    """What its rows cost, in minor units. Null: more than a number holds; their
    `total`s sum up to it.
    """
    lacking: Optional[int]
    """What lacks, in minor units. Null likewise."""


class BatchTotals(TypedDict):
    amount: int
    """Minor units."""
    fee: int
    """Minor units."""
    total: int
    """What leaves the wallets, in minor units."""


class _BeneficiaryCustomer(TypedDict):
    biller_code: str
    customer_identifier: str
    """The customer's number, as the biller's `customer_field` describes it."""


class BeneficiaryCustomer(_BeneficiaryCustomer, total=False):
    item_code: Optional[str]
    """What is bought where a payment does not say it."""
    service_type: Optional[str]
    """One of the biller's `service_types`."""


class BeneficiaryList(TypedDict):
    object: Literal["list"]
    data: List[Beneficiary]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class _BeneficiaryPhone(TypedDict):
    phone: str
    """In E.164 form, with or without `+`, or in local form of `country`."""


class BeneficiaryPhone(_BeneficiaryPhone, total=False):
    country: Optional[str]
    """ISO 3166-1 alpha-2. Needed for a number in local form."""
    network: Optional[str]
    """One of `GET /v4/airtime/networks`. Without it: the network whose range the number
    is from, if known.
    """


class BeneficiaryWallet(TypedDict):
    wallet_id: str
    """Any wallet of the same mode that is not closed, yours or not."""


class BillCategory(TypedDict):
    object: Literal["bill_category"]
    code: str
    name: str


class BillCategoryList(TypedDict):
    object: Literal["list"]
    data: List[BillCategory]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class BillCustomerScenario(TypedDict):
    example: Dict[str, Any]
    """Fields of a payment that shows it, beside `customer_identifier`."""
    customer_identifier: str
    categories: List[str]
    """Categories of billers that know it."""
    service_types: List[str]
    """Empty: all."""
    description: str
    final: ScenarioEnd


class _BillDetails(TypedDict):
    tokens: List[MeterToken]
    pins: List[Pin]
    biller_code: str
    biller_name: str
    item_code: Optional[str]
    item_name: Optional[str]
    customer_identifier: str
    customer_name: Optional[str]
    service_type: Optional[str]
    quantity: int
    receipt_number: Optional[str]


class BillDetails(_BillDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    queued: bool
    """True while it waits for money."""
    delivered_amount: int
    """What the recipient got, once that is known. Minor units."""
    operator_reference: str
    """The operator's or biller's own reference."""
    beneficiary_id: str
    """Where one was named."""


class BillValidation(TypedDict):
    object: Literal["bill_validation"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    id: str
    biller_code: str
    item_code: Optional[str]
    customer_identifier: str
    service_type: Optional[str]
    """Null: good for any service type of the biller."""
    customer_name: Optional[str]
    address: Optional[str]
    arrears: Optional[int]
    """What the customer owes; null where the biller does not say."""
    min_amount: int
    """The least that the customer can pay at once."""
    max_amount: int
    """The most that the customer can pay at once."""
    current_plan: Optional[str]
    """The `item_code` of the package that runs now."""
    renewal_amount: Optional[int]
    """Price of one more month of it."""
    expires_at: str
    """A payment after this needs a new validation."""
    livemode: bool
    created_at: str


class Biller(TypedDict):
    object: Literal["biller"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    code: str
    name: str
    category: str
    country: str
    """ISO 3166-1 alpha-2."""
    customer_field: CustomerField
    validation_required: bool
    """A payment needs a `validation_id`."""
    service_types: List[str]
    """What a payment can be; empty when there is nothing to choose."""
    min_amount: int
    max_amount: int
    fee: int
    """What you pay on top, flat."""
    commission_bps: int
    """What you pay less, in hundredths of a per cent of the amount."""
    available: bool
    """Can be paid now."""


class BillerItem(TypedDict):
    object: Literal["biller_item"]
    amount_type: Literal["fixed", "range"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    code: str
    name: str
    biller_code: str
    amount: Optional[int]
    """Price of one; null for a range."""
    min_amount: Optional[int]
    """Least amount of a range."""
    max_amount: Optional[int]
    """Largest amount of a range."""
    service_type: Optional[str]
    """The only service type that it is for."""
    max_quantity: int
    """The largest `quantity` of a payment: months of a package, or PINs."""
    available: bool


class BillerItemList(TypedDict):
    object: Literal["list"]
    data: List[BillerItem]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class BillerList(TypedDict):
    object: Literal["list"]
    data: List[Biller]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class _BillerStatus(TypedDict):
    object: Literal["biller_status"]
    id: str
    livemode: bool
    created_at: str
    biller_code: str
    name: str
    enabled: bool
    """Payments are accepted."""


class BillerStatus(_BillerStatus, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class Bought(TypedDict):
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    breakdown: List[BreakdownLine]
    quote_id: Optional[str]
    """The quote that this used. Null in a dry run with `convert`."""
    rate: str
    """Units of `currency` for one of the wallet's."""
    amount: int
    fee: int
    commission: int
    total: int
    """What the quote buys: `amount + fee - commission`."""


class BreakdownLine(TypedDict):
    kind: Literal["fee", "commission"]
    amount: int
    by: str
    """The table that it stands in, or the extension that changed it."""


class _BuyAirtime(TypedDict):
    amount: int
    """Minor units of the network's currency; `min_amount` to `max_amount` of the
    network.
    """


class BuyAirtime(_BuyAirtime, total=False):
    wallet_id: Optional[str]
    """The wallet that pays. Without it: your oldest active wallet in the currency.
    Needed to convert.
    """
    quote_id: Optional[str]
    """Pay from a wallet of another currency, at the rate of this quote: it must buy
    exactly what this costs.
    """
    convert: Optional[bool]
    """Pay from a wallet of another currency, at the rate of this moment."""
    reference: Optional[str]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """
    deliver_by: Optional[str]
    """No attempt starts after this; the purchase is cancelled then."""
    on_insufficient_funds: Optional[Literal["fail", "queue"]]
    """`queue` waits for money until `deliver_by`, which it needs."""
    metadata: Optional[Dict[str, str]]
    phone: Optional[str]
    """In E.164 form, with or without `+`, or in local form: of `country`, else of the
    country of the paying wallet's currency. Needed unless `beneficiary_id` is sent.
    """
    beneficiary_id: Optional[str]
    """One of `GET /v4/beneficiaries` of the kind `phone`, instead of `phone`."""
    country: Optional[str]
    """ISO 3166-1 alpha-2. Without it a number in local form is one of the country of
    the paying wallet's currency. Left out with `beneficiary_id`.
    """
    network: Optional[str]
    """One of `GET /v4/airtime/networks`. Without it: that of the beneficiary, or whose
    range the number is from.
    """
    on_network_mismatch: Optional[Literal["reject", "use_given", "use_detected"]]
    """What to do when the number's range says another network than `network`."""


class _BuyData(TypedDict):
    plan_code: str
    """`plan_code` of GET /v4/data/plans."""


class BuyData(_BuyData, total=False):
    wallet_id: Optional[str]
    """The wallet that pays. Without it: your oldest active wallet in the currency.
    Needed to convert.
    """
    quote_id: Optional[str]
    """Pay from a wallet of another currency, at the rate of this quote: it must buy
    exactly what this costs.
    """
    convert: Optional[bool]
    """Pay from a wallet of another currency, at the rate of this moment."""
    reference: Optional[str]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """
    deliver_by: Optional[str]
    """No attempt starts after this; the purchase is cancelled then."""
    on_insufficient_funds: Optional[Literal["fail", "queue"]]
    """`queue` waits for money until `deliver_by`, which it needs."""
    metadata: Optional[Dict[str, str]]
    phone: Optional[str]
    """In E.164 form, with or without `+`, or in local form: of `country`, else of the
    country of the paying wallet's currency. Needed unless `beneficiary_id` is sent.
    """
    beneficiary_id: Optional[str]
    """One of `GET /v4/beneficiaries` of the kind `phone`, instead of `phone`."""
    country: Optional[str]
    """ISO 3166-1 alpha-2, of a number in local form. Without it: the plan's. Left out
    with `beneficiary_id`.
    """
    amount: Optional[int]
    """Minor units. Refuse the purchase unless the plan has this price."""
    network: Optional[str]
    """Slug or alias. Refuse the purchase unless it is the plan's network."""
    on_network_mismatch: Optional[Literal["reject", "use_given", "use_detected"]]
    """What to do with a number whose range is of another network than the plan. Only
    `use_given` sells the plan to it: the number may have been ported.
    """


class _Card(TypedDict):
    id: str
    object: Literal["card"]
    type: Literal["virtual"]
    currency: Literal["USD"]
    brand: Literal["visa", "mastercard"]
    billing_address: Address
    status: Literal[
        "pending",
        "active",
        "failed",
        "frozen",
        "blocked",
        "terminated",
        "expired",
    ]
    spending_controls: SpendingControls
    metadata: Dict[str, str]
    customer_id: Optional[str]
    """Null in a dry run that would make the cardholder, too."""
    last4: Optional[str]
    """Null until it is issued."""
    masked_number: Optional[str]
    """Null until it is issued."""
    exp_month: Optional[int]
    """Null until it is issued, and where the issuer does not tell us."""
    exp_year: Optional[int]
    """Null where the month is."""
    name_on_card: str
    balance: CardBalance
    balance_display: str
    """The available balance for people, never to be parsed."""
    debt: int
    """What the card owes, in minor units: the next load pays it first."""
    status_reason: Optional[str]
    """Why it is in this state, in a word."""
    needs_review: bool
    """Its issuer does not say what became of it: a person decides."""
    decline_policy: DeclinePolicy
    funding_wallet_id: str
    """The wallet that paid the card, and gets back what is left."""
    label: Optional[str]
    reference: Optional[str]
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    created_at: str
    updated_at: str


class Card(_Card, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class _CardAuthentication(TypedDict):
    object: Literal["card_authentication"]
    details: AuthenticationDetails
    merchant: Optional[Merchant]
    id: str
    card_id: str
    amount: Optional[int]
    """What is to be paid, in minor units of `currency`. Null: the issuer did not tell.
    """
    currency: Optional[str]
    """ISO 4217; it need not be one that wallets have."""
    expires_at: Optional[str]
    """Until when the code can be entered. Null: the issuer did not tell."""
    livemode: bool
    created_at: str


class CardAuthentication(_CardAuthentication, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class CardBalance(TypedDict):
    available: int
    """Can be spent."""
    held: int
    """Promised to merchants."""
    ledger: int
    """available + held."""


class CardDetails(TypedDict, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    card_id: str
    card_transaction_id: str
    """The card transaction that a fee was taken for, or for which the wallet paid what
    the card lacked.
    """
    debt_paid: int
    """Of a load: what of it paid the debt of the card. Minor units."""


class CardList(TypedDict):
    object: Literal["list"]
    data: List[Card]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class CardReveal(TypedDict):
    object: Literal["card_reveal"]
    card_id: str
    url: str
    """Open it where the cardholder looks, not on a server."""
    expires_at: str
    livemode: bool
    created_at: str


class _CardTransaction(TypedDict):
    object: Literal["card_transaction"]
    type: Literal[
        "authorization",
        "clearing",
        "refund",
        "fee",
        "dispute_credit",
        "dispute_reversal",
    ]
    """What a merchant asked for, took without asking, or gave back, what the issuer
    charged, or what a dispute brought and took back.
    """
    status: Literal[
        "authorized",
        "settled",
        "voided",
        "expired",
        "declined",
        "refunded",
    ]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    merchant: Optional[Merchant]
    """Null for a fee."""
    fees: Optional[List[IssuerFee]]
    """As the issuer told. Null: it did not tell."""
    decline_reason: Optional[Literal[
        "insufficient_funds",
        "card_frozen",
        "card_blocked",
        "card_expired",
        "card_terminated",
        "card_not_active",
        "spending_limit",
        "mcc_blocked",
        "country_blocked",
        "merchant_declined",
        "issuer_declined",
        "endpoint_declined",
        "endpoint_unavailable",
    ]]
    """Why it was declined; null unless it was. Of one that is not: it was cleared all
    the same.
    """
    decision: Optional[Decision]
    """What your authorization endpoint made of it; null: it was not up to it."""
    id: str
    card_id: str
    amount: int
    """What was asked for."""
    held_amount: int
    """What the card holds for the merchant now."""
    settled_amount: int
    """What the merchant got, in one clearing or in several: it may be more than was
    asked for.
    """
    wallet_amount: int
    """Of that, what the card lacked and its funding wallet paid."""
    debt_amount: int
    """Of that, what nobody had: the card owes it."""
    debt_paid_amount: int
    """Of what came back to the card, what paid its debt at once."""
    refunded_amount: int
    """What came back of it."""
    disputed_amount: int
    """Of what the merchant got, what is in dispute, or was won back."""
    amount_display: str
    """For people, never to be parsed."""
    merchant_amount: Optional[int]
    """What the merchant asked for, in minor units of its currency, as the issuer told
    last. Null: it did not tell.
    """
    merchant_currency: Optional[str]
    """ISO 4217; it need not be one that wallets have."""
    fx_rate: Optional[str]
    """Units of the card's currency for one of the merchant's: a decimal number."""
    original_id: Optional[str]
    """Of a refund: whose money came back; null: of nothing that is known. Of what a
    dispute moved: what it is about.
    """
    dispute_id: Optional[str]
    """Of what a dispute moved."""
    transaction_id: Optional[str]
    """Of a fee: the account's record of it."""
    authorized_at: Optional[str]
    """When the money was promised."""
    expires_at: Optional[str]
    """When what is still held goes back to the card."""
    settled_at: Optional[str]
    """When money was last taken."""
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str


class CardTransaction(_CardTransaction, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class CardTransactionList(TypedDict):
    object: Literal["list"]
    data: List[CardTransaction]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


CardTransition = TypedDict(
    "CardTransition",
    {
        "object": "Literal[ 'card_transition', ]",
        "from": "Optional[Literal[ 'pending', 'active', 'failed', 'frozen', 'blocked', 'terminated', 'expired', ]]",
        "to": "Literal[ 'pending', 'active', 'failed', 'frozen', 'blocked', 'terminated', 'expired', ]",
        "actor": "Literal[ 'account', 'operator', 'issuer', 'policy', 'clock', ]",
        "card_id": "str",
        "actor_id": "Optional[str]",
        "reason": "Optional[str]",
        "livemode": "bool",
        "created_at": "str",
    },
)


class CardTransitionList(TypedDict):
    object: Literal["list"]
    data: List[CardTransition]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class CardholderScenario(TypedDict):
    status: Literal["active", "failed", "pending"]
    """State in which the card ends."""
    last_name: str
    description: str
    seconds: int
    """How long the issuer takes to decide, by the account's test clock."""
    failure_code: Optional[str]
    """`failure.code` of the transaction, `status_reason` of the card."""


class _CatalogueUpdate(TypedDict):
    object: Literal["catalogue_update"]
    id: str
    livemode: bool
    created_at: str
    added: int
    """Plans that are new."""
    changed: int
    """Plans that are no longer what they were."""
    plans: List[PlanChange]
    """The first hundred of them, by code: ask `GET /v4/data/plans` for what is on sale.
    """


class CatalogueUpdate(_CatalogueUpdate, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class ClearingScenario(TypedDict):
    final: ClearingScenarioEnd
    name: str
    description: str
    authorization: Optional[int]
    """What the merchant asks for first; null: it does not ask."""
    days: int
    """Of the account's test clock, between the two."""
    clearing: int
    """What the merchant takes."""


class ClearingScenarioEnd(TypedDict):
    status: str
    held_amount: int
    """Of the authorization, what the merchant may still take."""
    wallet_amount: int
    """What the wallet that funds the card paid."""
    debt_amount: int
    """What nobody had."""
    card_status: str


class CompletePayment(TypedDict):
    status: Literal[
        "successful",
        "failed",
        "late",
        "processing",
        "underpaid",
        "overpaid",
        "wrong_currency",
        "unknown",
        "partially_reversed",
        "reversed",
    ]
    """What the gateway says from now on: an outcome of `payments` in `GET
    /v4/sandbox/scenarios`.
    """


class _Conversion(TypedDict):
    id: str
    object: Literal["conversion"]
    status: Literal["successful"]
    from_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    to_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    rate: str
    """Units of the currency that is bought for one of that which is sold: a decimal
    number, as text.
    """
    metadata: Dict[str, str]
    quote_id: str
    from_wallet: str
    to_wallet: str
    sell_amount: int
    buy_amount: int
    fee: int
    """In the currency that was sold."""
    reference: Optional[str]
    transactions: ConversionTransactions
    livemode: bool
    created_at: str


class Conversion(_Conversion, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class _ConversionDetails(TypedDict):
    conversion_id: str
    rate: str
    """Units of the currency that was bought for one of that which was sold."""


class ConversionDetails(_ConversionDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    sold: str
    """Of what arrived: what was sold for it, for people."""


class ConversionList(TypedDict):
    object: Literal["list"]
    data: List[Conversion]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class ConversionTransactions(TypedDict):
    debit: Optional[str]
    credit: Optional[str]


class _CreateBatch(TypedDict):
    kind: Literal["airtime", "data", "bill", "transfer", "payout"]
    """What each row is: the body of the route of this kind."""


class CreateBatch(_CreateBatch, total=False):
    items: Optional[List[Dict[str, Any]]]
    """Up to 10000 rows, each the body of the kind's route with a `reference` of its
    own; 500 with `on_error` "all_or_nothing". Either these or `csv`.
    """
    csv: Optional[str]
    """The rows as CSV instead: its header names fields of the body, `bank.code` those
    of an object in it. A body of the type text/csv is this field, and all others
    stand in the query string then.
    """
    wallet_id: Optional[str]
    """Pays for the rows that name no wallet."""
    on_error: Optional[Literal["continue", "stop", "all_or_nothing"]]
    """What a row that fails means: the others go on (`continue`, the default), none is
    begun after it (`stop`), or nothing happens at all (`all_or_nothing`; transfers
    only, answered at once).
    """
    skip_invalid: Optional[bool]
    """Leave rows that are not valid out instead of starting none."""
    start_at: Optional[str]
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]


class CreateBeneficiary(TypedDict, total=False):
    kind: Optional[Literal["bank_account", "phone", "meter", "smartcard", "wallet"]]
    """What is paid. Needed unless it is a bank account, which `bank` says."""
    label: Optional[str]
    """Without it: the verified name, else the number."""
    bank: Optional[BankAccount]
    """Of the kind `bank_account`."""
    phone: Optional[BeneficiaryPhone]
    """Of the kind `phone`."""
    meter: Optional[BeneficiaryCustomer]
    """Of the kind `meter`."""
    smartcard: Optional[BeneficiaryCustomer]
    """Of the kind `smartcard`."""
    wallet: Optional[BeneficiaryWallet]
    """Of the kind `wallet`."""
    account_name: Optional[str]
    """Refuse it unless the bank or the biller says this name, in any order and spelling
    of capitals.
    """
    metadata: Optional[Dict[str, str]]


class _CreateConversion(TypedDict):
    quote_id: str
    """A quote that is still good."""
    from_wallet: str
    """Your wallet that pays what is sold."""
    to_wallet: str
    """Your wallet that gets what is bought."""


class CreateConversion(_CreateConversion, total=False):
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """


class _CreateCustomer(TypedDict):
    first_name: str
    last_name: str
    email: str
    phone: str
    """E.164."""
    date_of_birth: str
    """A cardholder is 18 or older."""
    address: Address
    identity: Identity


class CreateCustomer(_CreateCustomer, total=False):
    metadata: Optional[Dict[str, str]]


class _CreateDispute(TypedDict):
    reason: Literal[
        "fraudulent",
        "not_received",
        "duplicate",
        "incorrect_amount",
        "cancelled",
        "defective",
        "other",
    ]
    evidence: Evidence


class CreateDispute(_CreateDispute, total=False):
    amount: Optional[int]
    """What of it is not accepted, in minor units. All that can be disputed when absent.
    """
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]


class _CreatePayment(TypedDict):
    amount: int
    """What the payer pays, in minor units (kobo, cents). The wallet gets it less the
    fee.
    """
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]


class CreatePayment(_CreatePayment, total=False):
    reference: Optional[str]
    description: Optional[str]
    """Shown to the payer."""
    customer: Optional[PaymentCustomer]
    wallet_id: Optional[str]
    """The wallet to credit. Your oldest active wallet in the currency when absent."""
    gateway: Optional[str]
    """One of those that would be available; the payer has no other choice then."""
    callback_url: Optional[str]
    """Where the payer is sent at the end, with `payment_id` and `status` in the query.
    https; with test keys also http.
    """
    expires_in: Optional[int]
    """Seconds in which it can be paid."""
    on_underpaid: Optional[Literal["review", "accept_received", "refund"]]
    """When less arrives: a person decides (default), the wallet gets what came, or it
    goes back to the payer.
    """
    on_overpaid: Optional[Literal["review", "accept_received", "refund"]]
    """When more arrives: a person decides (default), the wallet gets what came, or it
    goes back to the payer.
    """
    metadata: Optional[Dict[str, str]]


class _CreatePayout(TypedDict):
    amount: int
    """Minor units of the bank's currency: what arrives."""


class CreatePayout(_CreatePayout, total=False):
    wallet_id: Optional[str]
    """The wallet that pays. Without it: your oldest active wallet in the currency.
    Needed to convert.
    """
    quote_id: Optional[str]
    """Pay from a wallet of another currency, at the rate of this quote: it must buy
    exactly what this costs.
    """
    convert: Optional[bool]
    """Pay from a wallet of another currency, at the rate of this moment."""
    reference: Optional[str]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """
    deliver_by: Optional[str]
    """No attempt starts after this; the purchase is cancelled then."""
    on_insufficient_funds: Optional[Literal["fail", "queue"]]
    """`queue` waits for money until `deliver_by`, which it needs."""
    metadata: Optional[Dict[str, str]]
    bank: Optional[BankAccount]
    """Who is paid. Needed unless `beneficiary_id` is sent."""
    beneficiary_id: Optional[str]
    """One of `GET /v4/beneficiaries` of the kind `bank_account`, instead of `bank`."""
    account_name: Optional[str]
    """Refuse the payout unless the bank says this name, in any order and spelling of
    capitals.
    """
    narration: Optional[str]
    """For whoever receives."""


class _CreateQuote(TypedDict):
    from_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    """What you sell."""
    to_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    """What you buy."""
    amount: int
    """Minor units of the currency that you sell, or buy, as `side` says."""


class CreateQuote(_CreateQuote, total=False):
    side: Optional[Literal["sell", "buy"]]
    """Whether `amount` is what you sell or what you buy; `sell` by default."""


class CreateRefund(TypedDict, total=False):
    amount: Optional[int]
    """What goes back to the payer, in minor units. All that is left when absent."""
    reason: Optional[str]
    """Told to the gateway."""
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """


_CreateReport = TypedDict(
    "_CreateReport",
    {
        "kind": "Literal[ 'transactions', 'settlements', 'fees', 'commissions', 'payouts', ]",
        "from": "str",
        "to": "str",
    },
)
_CreateReportOptional = TypedDict(
    "_CreateReportOptional",
    {
        "format": "Optional[Literal[ 'csv', 'json', ]]",
        "filters": "Optional[ReportFilters]",
    },
    total=False,
)


class CreateReport(_CreateReport, _CreateReportOptional):
    pass


class _CreateTransfer(TypedDict):
    from_wallet: str
    """The wallet that pays; one of yours."""
    amount: int
    """Minor units (kobo, cents)."""


class CreateTransfer(_CreateTransfer, total=False):
    to_wallet: Optional[str]
    """Any active wallet of the same mode and currency, yours or not. Needed unless
    `beneficiary_id` is sent.
    """
    beneficiary_id: Optional[str]
    """One of `GET /v4/beneficiaries` of the kind `wallet`, instead of `to_wallet`."""
    currency: Optional[Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]]
    """Refuse the transfer unless the wallets have this currency."""
    reference: Optional[str]
    narration: Optional[str]
    """Shown to both sides."""
    metadata: Optional[Dict[str, str]]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """


class _CreateVirtualAccount(TypedDict):
    wallet_id: str
    """The wallet that gets what arrives; its currency is what payers pay in."""
    kind: Literal["permanent", "one_time"]
    """`permanent` takes any number of transfers, `one_time` one."""


class CreateVirtualAccount(_CreateVirtualAccount, total=False):
    amount: Optional[int]
    """Of a one-time account: what the payer is to pay, in minor units (kobo, cents).
    Absent: anything.
    """
    on_underpaid: Optional[Literal["review", "accept_received", "refund"]]
    """What becomes of a transfer of less than `amount`: a person decides (`review`, the
    default), it is credited (`accept_received`), or it goes back to the payer
    (`refund`).
    """
    on_overpaid: Optional[Literal["review", "accept_received", "refund"]]
    """What becomes of a transfer of more than `amount`: a person decides (`review`, the
    default), it is credited (`accept_received`), or it goes back to the payer
    (`refund`).
    """
    expires_in: Optional[int]
    """Of a one-time account: seconds in which it can be paid; 3600 when absent."""
    customer_id: Optional[str]
    """Whose transfers are expected: one of `GET /v4/customers`."""
    label: Optional[str]
    """For the name of the account, which payers see."""
    reference: Optional[str]


class _CreateWallet(TypedDict):
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]


class CreateWallet(_CreateWallet, total=False):
    label: Optional[str]
    reference: Optional[str]
    low_balance_threshold: Optional[int]
    """Minor units. `wallet.low_balance` tells when the available balance falls below.
    """
    metadata: Optional[Dict[str, str]]


class _CreateWebhookEndpoint(TypedDict):
    url: str
    """https; with test keys also http."""
    events: List[str]
    """Types of events, all of a resource (`transaction.*`), or everything (`*`)."""


class CreateWebhookEndpoint(_CreateWebhookEndpoint, total=False):
    description: Optional[str]
    include_secrets: Optional[bool]
    """Send meter tokens and PINs whole, which are masked otherwise, and
    `card.authentication_code`, which is not sent otherwise.
    """
    headers: Optional[Dict[str, str]]
    """Headers that are sent along, such as a key of your gateway. They are kept sealed
    and never shown again. Of an endpoint that exists, those that are not named stay,
    and null takes one away; they all go when its URL moves to another host.
    """
    max_in_flight: Optional[int]
    """Requests that may be under way at once."""
    max_per_second: Optional[int]
    """Requests a second; null: as many as there are."""
    metadata: Optional[Dict[str, str]]


class _CreditWallet(TypedDict):
    amount: int
    """Minor units (kobo, cents)."""


class CreditWallet(_CreditWallet, total=False):
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]


class _Customer(TypedDict):
    object: Literal["customer"]
    date_of_birth: str
    address: Address
    metadata: Dict[str, str]
    kyc_status: Literal["unverified", "pending", "verified", "rejected"]
    """Whether a provider of identities says that they are who they say: live cards are
    for `verified` ones only.
    """
    kyc_tier: Literal[0, 1, 2, 3]
    """How far they are known: 1 to 3 while they are verified, else 0. Limits of their
    cards depend on it.
    """
    kyc_failure: Optional[KycFailure]
    """Why they were rejected."""
    id: str
    first_name: str
    last_name: str
    email: str
    phone: str
    identity: MaskedIdentity
    kyc_verified_at: Optional[str]
    needs_review: bool
    """The provider says nothing, as often as it is asked: a person decides."""
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str
    anonymized_at: Optional[str]
    """When an operator emptied what is personal: such a cardholder cannot be changed
    and gets no cards.
    """


class Customer(_Customer, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class CustomerDetails(TypedDict):
    biller_code: str
    customer_identifier: str
    item_code: Optional[str]
    service_type: Optional[str]


class CustomerField(TypedDict):
    label: str
    pattern: str
    """Regular expression for the whole number."""


class CustomerList(TypedDict):
    object: Literal["list"]
    data: List[Customer]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class _DataDetails(TypedDict):
    network_source: Literal["given", "prefix"]
    """Whether the caller named the network or the number tells."""
    validity: Validity
    plan_code: str
    plan_name: str
    data_bytes: int
    phone: str
    network: str


class DataDetails(_DataDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    queued: bool
    """True while it waits for money."""
    delivered_amount: int
    """What the recipient got, once that is known. Minor units."""
    operator_reference: str
    """The operator's or biller's own reference."""
    beneficiary_id: str
    """Where one was named."""


class DataPlan(TypedDict):
    object: Literal["data_plan"]
    type: Literal[
        "direct",
        "sme",
        "corporate_gifting",
        "gifting",
        "social",
        "broadband",
    ]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    plan_code: str
    network: str
    """Slug of the network."""
    country: str
    """ISO 3166-1 alpha-2."""
    name: str
    data_bytes: int
    validity: Validity
    price: int
    """Minor units."""
    price_display: str
    """For people, never to be parsed."""
    commission_bps: int
    """What you get off the price, in basis points."""
    available: bool
    """Somebody can deliver plans of this network right now."""
    updated_at: str


class DataPlanList(TypedDict):
    object: Literal["list"]
    data: List[DataPlan]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""
    catalogue_version: str
    """Changes whenever any plan does."""


class Decision(TypedDict):
    by: Literal["endpoint", "fallback"]
    """`fallback`: the endpoint's `default`."""
    outcome: Literal[
        "approved",
        "declined",
        "timeout",
        "failed",
        "malformed",
        "not_asked",
    ]
    reason: Optional[str]
    """In the words of the endpoint."""
    latency_ms: Optional[int]
    """Null: it was not asked."""


class DeclinePolicy(TypedDict):
    declines: int
    """Declines for want of money, in a row."""
    warn_at: Optional[int]
    """At so many `card.decline_warning` is sent."""
    terminate_at: Optional[int]
    """At so many the card is terminated."""


class DeliveryAttempt(TypedDict):
    url: str
    """Where it went."""
    request_headers: Optional[Dict[str, str]]
    """Of the request; the values of the endpoint's own headers are hidden. Null when
    none was made.
    """
    response_headers: Optional[Dict[str, str]]
    """Of the answer: the first 40, each up to 512 characters. Null when there was none.
    """
    response_body: Optional[str]
    """What was answered, up to 16 kB."""
    number: int
    """1 for the first."""
    code: str
    """What came of it: `ok`, or why it failed."""
    http_status: Optional[int]
    """Null when there was no answer."""
    duration_ms: int
    created_at: str


class DeliveryDetails(TypedDict):
    object: Literal["webhook_delivery"]
    event_type: Literal[
        "transaction.awaiting_approval",
        "transaction.processing",
        "transaction.successful",
        "transaction.failed",
        "transaction.reversed",
        "transaction.cancelled",
        "transaction.needs_review",
        "transfer.successful",
        "conversion.successful",
        "batch.validating",
        "batch.scheduled",
        "batch.running",
        "batch.progressed",
        "batch.paused",
        "batch.completed",
        "batch.invalid",
        "batch.failed",
        "batch.cancelled",
        "payment.successful",
        "payment.failed",
        "payment.expired",
        "payment.cancelled",
        "payment.partially_reversed",
        "payment.reversed",
        "payment.needs_review",
        "refund.awaiting_approval",
        "refund.processing",
        "refund.successful",
        "refund.failed",
        "refund.cancelled",
        "refund.needs_review",
        "deposit.received",
        "deposit.needs_review",
        "deposit.returned",
        "card.issued",
        "card.issue_failed",
        "card.needs_review",
        "card.funded",
        "card.withdrawn",
        "card.frozen",
        "card.unfrozen",
        "card.blocked",
        "card.terminated",
        "card.expired",
        "card.overdrawn",
        "card.decline_warning",
        "card.authentication_code",
        "card.transaction.authorized",
        "card.transaction.settled",
        "card.transaction.declined",
        "card.transaction.voided",
        "card.transaction.expired",
        "card.transaction.refunded",
        "customer.verified",
        "customer.rejected",
        "customer.needs_review",
        "dispute.opened",
        "dispute.under_review",
        "dispute.won",
        "dispute.lost",
        "dispute.withdrawn",
        "dispute.needs_review",
        "wallet.created",
        "wallet.updated",
        "wallet.credited",
        "wallet.low_balance",
        "wallet.frozen",
        "wallet.unfrozen",
        "wallet.closed",
        "day.closed",
        "report.ready",
        "report.failed",
        "catalogue.updated",
        "biller.status_changed",
        "webhook_endpoint.failing",
        "webhook_endpoint.disabled",
        "webhook_endpoint.recovered",
        "webhook_endpoint.secret_rotated",
        "webhook_endpoint.test",
    ]
    status: Literal[
        "pending",
        "retrying",
        "delivered",
        "exhausted",
        "disabled",
        "aborted",
    ]
    """`retrying`: at least one attempt failed. `disabled`: the endpoint was, when the
    event came. `aborted`: its receiver asked for that.
    """
    attempts: List[DeliveryAttempt]
    """The first one first."""
    id: str
    endpoint_id: str
    event_id: str
    attempt_count: int
    """Attempts that were made."""
    is_replay: bool
    """A replay, a retry or a test that you asked for."""
    last_code: Optional[str]
    """What came of the last attempt."""
    last_http_status: Optional[int]
    """What the last attempt was answered with; null without an answer."""
    next_attempt_at: Optional[str]
    livemode: bool
    created_at: str
    completed_at: Optional[str]


class DeliveryDetailsList(TypedDict):
    object: Literal["list"]
    data: List[DeliveryDetails]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class DeliveryHappening(TypedDict):
    id: str
    endpoint_id: str
    event_id: str
    event_type: str
    status: str
    attempts: int


class _Deposit(TypedDict):
    object: Literal["deposit"]
    status: Literal[
        "received",
        "credited",
        "to_be_returned",
        "returned",
        "failed",
    ]
    """`received`: somebody told of it, and the bank is asked, or a person; `credited`:
    the wallet has it; `to_be_returned`, then `returned`: it goes back to the payer;
    `failed`: it never came.
    """
    payer: Optional[Payer]
    resolution: Optional[Literal["accept_received", "refund_payer", "failed"]]
    """How a deposit was settled that did not fit; null when nobody had to."""
    id: str
    virtual_account_id: str
    wallet_id: Optional[str]
    """The wallet that has it; null while none does."""
    transaction_id: Optional[str]
    """The credit, once there is one."""
    amount: Optional[int]
    """What the bank has; null until it said so."""
    currency: Optional[str]
    """ISO 4217; another one than the account's where somebody paid wrongly."""
    session_id: Optional[str]
    """By which banks find a transfer."""
    provider_reference: str
    """What the bank calls it."""
    needs_review: bool
    """It does not fit its account, what is said of it contradicts itself, or its bank
    does not give it back: until a person decides nothing moves.
    """
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    arrived_at: Optional[str]
    """When the bank had it; null until it said so."""
    created_at: str
    updated_at: str


class Deposit(_Deposit, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class DepositDetails(TypedDict, total=False):
    payer: TransferPayer
    session_id: Optional[str]
    """By which banks find a transfer."""
    virtual_account_id: str
    deposit_id: str


class DepositList(TypedDict):
    object: Literal["list"]
    data: List[Deposit]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class DepositScenarioEnd(TypedDict):
    status: str
    needs_review: bool
    """The event `deposit.needs_review` calls a person."""


class _Dispute(TypedDict):
    object: Literal["dispute"]
    status: Literal["open", "under_review", "won", "lost", "withdrawn"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    reason: Literal[
        "fraudulent",
        "not_received",
        "duplicate",
        "incorrect_amount",
        "cancelled",
        "defective",
        "other",
    ]
    evidence: DisputeEvidence
    withdrawal: Optional[Literal["requested", "refused"]]
    """You asked for it to be withdrawn: the issuer is asked, or did not agree."""
    failure: Optional[DisputeFailure]
    """Why the issuer did not take it up."""
    metadata: Dict[str, str]
    id: Optional[str]
    """Null in a dry run."""
    card_id: str
    card_transaction_id: str
    """What it is about."""
    amount: int
    amount_display: str
    """For people, never to be parsed."""
    issuer_reference: Optional[str]
    """The issuer's own id of the dispute, once it said so."""
    provisional_credit: Optional[int]
    """What the issuer credited to the card before it decided. A dispute that is lost or
    withdrawn takes it back.
    """
    won_amount: Optional[int]
    """What of it was won: all of it, or a part. Null unless it was."""
    reference: Optional[str]
    needs_review: bool
    """The issuer says nothing, or what contradicts the dispute: a person decides."""
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    created_at: str
    updated_at: str
    resolved_at: Optional[str]
    """When it was won, lost or withdrawn."""


class Dispute(_Dispute, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class DisputeEvidence(TypedDict):
    text: str
    links: List[str]


class DisputeFailure(TypedDict):
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    code: str
    message: str


class DisputeList(TypedDict):
    object: Literal["list"]
    data: List[Dispute]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class DisputeScenario(TypedDict):
    final: DisputeScenarioEnd
    evidence: str
    """`evidence.text`, capitals or not."""
    description: str
    provisional_credit: bool
    """The issuer credits the amount before it decides."""
    failure_code: Optional[str]
    """`failure.code` of the dispute."""


class DisputeScenarioEnd(TypedDict):
    status: str
    needs_review: bool
    """The event `dispute.needs_review` calls a person."""


class DryRunCard(TypedDict):
    """What a dry run answers: Card"""

    id: None
    """Nothing was made."""
    object: Literal["card"]
    type: Literal["virtual"]
    currency: Literal["USD"]
    brand: Literal["visa", "mastercard"]
    billing_address: Address
    status: Literal[
        "pending",
        "active",
        "failed",
        "frozen",
        "blocked",
        "terminated",
        "expired",
    ]
    spending_controls: SpendingControls
    metadata: Dict[str, str]
    customer_id: Optional[str]
    """Null in a dry run that would make the cardholder, too."""
    last4: Optional[str]
    """Null until it is issued."""
    masked_number: Optional[str]
    """Null until it is issued."""
    exp_month: Optional[int]
    """Null until it is issued, and where the issuer does not tell us."""
    exp_year: Optional[int]
    """Null where the month is."""
    name_on_card: str
    balance: CardBalance
    balance_display: str
    """The available balance for people, never to be parsed."""
    debt: int
    """What the card owes, in minor units: the next load pays it first."""
    status_reason: Optional[str]
    """Why it is in this state, in a word."""
    needs_review: bool
    """Its issuer does not say what became of it: a person decides."""
    decline_policy: DeclinePolicy
    funding_wallet_id: str
    """The wallet that paid the card, and gets back what is left."""
    label: Optional[str]
    reference: Optional[str]
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    created_at: str
    updated_at: str
    ledger: List[LedgerLine]
    """Only in a dry run: what the ledger would write."""


class DryRunConversion(TypedDict):
    """What a dry run answers: Conversion"""

    id: None
    """Nothing was made."""
    object: Literal["conversion"]
    status: Literal["successful"]
    from_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    to_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    rate: str
    """Units of the currency that is bought for one of that which is sold: a decimal
    number, as text.
    """
    metadata: Dict[str, str]
    quote_id: str
    from_wallet: str
    to_wallet: str
    sell_amount: int
    buy_amount: int
    fee: int
    """In the currency that was sold."""
    reference: Optional[str]
    transactions: ConversionTransactions
    livemode: bool
    created_at: str
    ledger: List[LedgerLine]
    """Only in a dry run: what the ledger would write."""


class DryRunPayment(TypedDict):
    """What a dry run answers: Payment"""

    id: None
    """Nothing was made."""
    object: Literal["payment"]
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "expired",
        "cancelled",
        "reversed",
    ]
    on_underpaid: Literal["review", "accept_received", "refund"]
    on_overpaid: Literal["review", "accept_received", "refund"]
    resolution: Optional[Literal["accept_received", "accept_requested", "refund_payer"]]
    """What a person, or the policy, did with another amount or currency. Null when
    nobody had to.
    """
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    customer: Optional[PaymentCustomer]
    failure: Optional[PaymentFailure]
    details: Dict[str, Any]
    """`breakdown`: where the fee comes from, and what extensions changed. `reversals`:
    what went back, each with the gateway’s `reference`, its `amount` and the
    `transaction_id` that took it.
    """
    metadata: Dict[str, str]
    amount: int
    """What the payer pays."""
    amount_received: Optional[int]
    """What arrived at the gateway, in `currency_received`; null while nothing did. No
    decision changes it.
    """
    amount_refunded: int
    """What of that went back to the payer: by your refunds, and by reversals, whose
    parts `details.reversals` has.
    """
    refundable: int
    """What refunds may still give back; what others under way are about to give back is
    not in it.
    """
    currency_received: Optional[str]
    """ISO 4217; another one than `currency` where somebody paid wrongly."""
    fee: int
    """Kept from the amount; the wallet gets the rest."""
    amount_display: str
    """The amount for people, never to be parsed."""
    gateway: Optional[str]
    """Through which it is paid; null while the payer can still choose."""
    available_gateways: List[str]
    """Between which the payer can choose, in order."""
    checkout_url: Optional[str]
    """The page on which it is paid: send the payer there. Whoever has the address can
    pay. Null in a dry run.
    """
    wallet_id: str
    """The wallet that is credited."""
    transaction_id: Optional[str]
    """The credit, once there is one."""
    reference: Optional[str]
    description: Optional[str]
    callback_url: Optional[str]
    needs_review: bool
    """What the gateway says contradicts the payment or itself: a person decides, and
    until then nothing is credited.
    """
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    expires_at: str
    paid_at: Optional[str]
    created_at: str
    updated_at: str
    ledger: List[LedgerLine]
    """Only in a dry run: what the ledger would write once it is paid."""


class DryRunRefund(TypedDict):
    """What a dry run answers: Refund"""

    id: None
    """Nothing was made."""
    object: Literal["refund"]
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "cancelled",
    ]
    failure: Optional[PaymentFailure]
    approval: Optional[Approval]
    """Null: it needs no second person."""
    metadata: Dict[str, str]
    payment_id: str
    amount: int
    """What the payer gets."""
    fee: int
    """What the wallet pays beside it. The fee of the payment stays paid."""
    currency: str
    """ISO 4217: of what the payer paid."""
    wallet_id: Optional[str]
    """The wallet that was credited, and pays; null where what arrived was never
    credited.
    """
    transaction_id: Optional[str]
    """The debit of that wallet; null without one, and in a dry run."""
    gateway: str
    gateway_reference: Optional[str]
    """The gateway's own id of the refund, once it said so."""
    reason: Optional[str]
    reference: Optional[str]
    needs_review: bool
    """The gateway says nothing, or what contradicts the refund: the money stays held
    until a person decides.
    """
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    created_at: str
    updated_at: str
    completed_at: Optional[str]
    ledger: List[LedgerLine]
    """Only in a dry run: what the ledger would write when the money is held."""


class DryRunTransfer(TypedDict):
    """What a dry run answers: Transfer"""

    id: None
    """Nothing was made."""
    object: Literal["transfer"]
    status: Literal["processing", "successful", "failed"]
    """`processing` and `failed` only of a transfer to a wallet that is kept elsewhere:
    its money is held, and back where it failed.
    """
    failure: Optional[TransferFailure]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    metadata: Dict[str, str]
    from_wallet: str
    to_wallet: str
    amount: int
    fee: int
    amount_display: str
    """For people, never to be parsed."""
    reference: Optional[str]
    narration: Optional[str]
    transactions: TransferTransactions
    version: int
    """Grows with each change: 1 while it is `processing`, 2 once it has ended."""
    livemode: bool
    created_at: str
    ledger: List[LedgerLine]
    """Only in a dry run: what the ledger would write."""


class EnabledWebhookEndpoint(TypedDict):
    object: Literal["webhook_endpoint"]
    url: str
    status: Literal["enabled", "disabled"]
    """Nothing but replays and tests is sent to a disabled one."""
    sandbox_fault: Optional[Literal["duplicate", "out_of_order", "delayed", "bad_signature"]]
    """What the sandbox does to its deliveries."""
    metadata: Dict[str, str]
    id: str
    events: List[str]
    """Types of events, all of a resource (`transaction.*`), or everything (`*`)."""
    description: Optional[str]
    include_secrets: bool
    """Meter tokens and PINs are sent whole."""
    header_names: List[str]
    """Names of the headers that are sent along; their values are not shown."""
    max_in_flight: int
    """Requests that may be under way at once."""
    max_per_second: Optional[int]
    """Requests a second; null: as many as there are."""
    disabled_reason: Optional[str]
    """Why it is disabled."""
    disabled_at: Optional[str]
    previous_secret_expires_at: Optional[str]
    """Until then the secret before the present one signs too."""
    health: EndpointHealth
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str
    deleted_at: Optional[str]
    """A deleted one is shown only by what happened to it."""
    missed: Optional[MissedEvents]
    """Null when there was nothing to miss, and when a request is repeated."""


class EndpointHealth(TypedDict):
    failing_since: Optional[str]
    """The first failure since the last success; null while it works."""
    last_success_at: Optional[str]
    last_failure_at: Optional[str]


class Entry(TypedDict):
    object: Literal["entry"]
    bucket: Literal["available", "held"]
    """Which part of the balance changed."""
    id: str
    """Wallet id and the number of the entry in it."""
    wallet_id: str
    sequence: int
    """Numbers a wallet's entries without gaps, from 1."""
    amount: int
    """Signed: negative left the bucket."""
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    amount_display: str
    balance_after: int
    """The bucket's balance after this entry."""
    transaction_id: Optional[str]
    livemode: bool
    created_at: str


class EntryList(TypedDict):
    object: Literal["list"]
    data: List[Entry]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class Event(TypedDict):
    object: Literal["event"]
    type: Literal[
        "transaction.awaiting_approval",
        "transaction.processing",
        "transaction.successful",
        "transaction.failed",
        "transaction.reversed",
        "transaction.cancelled",
        "transaction.needs_review",
        "transfer.successful",
        "conversion.successful",
        "batch.validating",
        "batch.scheduled",
        "batch.running",
        "batch.progressed",
        "batch.paused",
        "batch.completed",
        "batch.invalid",
        "batch.failed",
        "batch.cancelled",
        "payment.successful",
        "payment.failed",
        "payment.expired",
        "payment.cancelled",
        "payment.partially_reversed",
        "payment.reversed",
        "payment.needs_review",
        "refund.awaiting_approval",
        "refund.processing",
        "refund.successful",
        "refund.failed",
        "refund.cancelled",
        "refund.needs_review",
        "deposit.received",
        "deposit.needs_review",
        "deposit.returned",
        "card.issued",
        "card.issue_failed",
        "card.needs_review",
        "card.funded",
        "card.withdrawn",
        "card.frozen",
        "card.unfrozen",
        "card.blocked",
        "card.terminated",
        "card.expired",
        "card.overdrawn",
        "card.decline_warning",
        "card.authentication_code",
        "card.transaction.authorized",
        "card.transaction.settled",
        "card.transaction.declined",
        "card.transaction.voided",
        "card.transaction.expired",
        "card.transaction.refunded",
        "customer.verified",
        "customer.rejected",
        "customer.needs_review",
        "dispute.opened",
        "dispute.under_review",
        "dispute.won",
        "dispute.lost",
        "dispute.withdrawn",
        "dispute.needs_review",
        "wallet.created",
        "wallet.updated",
        "wallet.credited",
        "wallet.low_balance",
        "wallet.frozen",
        "wallet.unfrozen",
        "wallet.closed",
        "day.closed",
        "report.ready",
        "report.failed",
        "catalogue.updated",
        "biller.status_changed",
        "webhook_endpoint.failing",
        "webhook_endpoint.disabled",
        "webhook_endpoint.recovered",
        "webhook_endpoint.secret_rotated",
        "webhook_endpoint.test",
    ]
    api_version: Literal["v4"]
    id: str
    account_id: str
    data: EventData
    request: EventRequest
    livemode: bool
    timestamp: str
    """When it happened."""
    created_at: str


class _EventData(TypedDict):
    object: Dict[str, Any]
    """The resource; fields that change are as they stood at the event. Only its `id`
    where it cannot be shown any more.
    """


class EventData(_EventData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class EventHappening(TypedDict):
    id: str
    type: str
    request_id: Optional[str]


class EventList(TypedDict):
    object: Literal["list"]
    data: List[Event]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class EventRequest(TypedDict):
    id: Optional[str]
    idempotency_key: Optional[str]


class _Evidence(TypedDict):
    text: str


class Evidence(_Evidence, total=False):
    links: Optional[List[str]]
    """Addresses of documents. They are handed to the issuer, and opened by nobody here.
    """


class FreezeWallet(TypedDict, total=False):
    direction: Optional[Literal["debit", "credit", "both"]]
    """`debit`, the default: it receives but does not pay. `credit`: it pays but takes
    no money. `both`: neither.
    """
    reason: Optional[str]
    """Why: shown with the freeze."""
    until: Optional[str]
    """When it ends by itself; absent: when you unfreeze the wallet."""


class _FundCard(TypedDict):
    amount: int
    """Cents."""


class FundCard(_FundCard, total=False):
    wallet_id: Optional[str]
    """A USD wallet of yours. Without it: the one that paid the card."""
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """
    quote_id: Optional[str]
    """Pay from a wallet of another currency, at the rate of this quote: it must buy
    exactly what this costs.
    """
    convert: Optional[bool]
    """Pay from a wallet of another currency, at the rate of this moment."""


class HeaderField(TypedDict):
    name: str
    pattern: str
    """Regular expression of its value."""
    required: bool


class HeaderScenario(TypedDict):
    outcome: str
    description: str
    then_values: List[str]
    """Words that `then` may have beside it."""


class HeaderScenarios(TypedDict):
    name: str
    description: str
    example: str
    fields: List[HeaderField]
    outcomes: List[HeaderScenario]


class Health(TypedDict):
    status: Literal["ok"]


class Hold(TypedDict):
    object: Literal["hold"]
    kind: Literal[
        "transfer_out",
        "transfer_in",
        "airtime_purchase",
        "data_purchase",
        "bill_payment",
        "payout",
        "card_issue",
        "card_funding",
        "card_withdrawal",
        "card_fee",
        "payment",
        "payment_refund",
        "conversion_out",
        "conversion_in",
        "deposit",
        "reversal",
    ]
    """The type of that transaction."""
    releases_at: Optional[str]
    """When it is given back unless a second person lets it go before; null: it stays
    until the outcome is known.
    """
    transaction_id: str
    """What holds it."""
    amount: int
    """Minor units."""
    since: str


class HoldList(TypedDict):
    object: Literal["list"]
    data: List[Hold]
    """Newest first, at most 1,000."""
    held: int
    """Minor units: the sum of the holds, listed or not."""
    has_more: bool
    """There are more than are listed."""


class Identity(TypedDict):
    type: Literal[
        "passport",
        "national_id",
        "drivers_license",
        "voters_card",
        "bvn",
        "nin",
        "ssn",
    ]
    number: str
    """Kept encrypted, and shown masked only."""


class IdentityScenario(TypedDict):
    suffix: str
    """The last three characters of `identity.number`."""
    description: str
    failure_code: Optional[str]
    """`kyc_failure.code` of the cardholder."""
    status: str
    """`kyc_status` in which the cardholder ends up."""
    tier: Optional[int]
    """`kyc_tier` that the provider gives them; null: it says nothing, and the kind of
    the document counts.
    """


class _IssueCard(TypedDict):
    currency: Literal["USD"]
    amount: int
    """First load, in cents."""
    funding_wallet_id: str
    """A wallet of yours: it pays the load and the fee, and gets back what is left in
    the end. In another currency than USD with `convert` or `quote_id`; then what is
    left goes to your oldest USD wallet.
    """


class IssueCard(_IssueCard, total=False):
    customer_id: Optional[str]
    """The cardholder. Or send `customer`."""
    customer: Optional[CreateCustomer]
    """A new cardholder, made with the card. Or send `customer_id`."""
    brand: Optional[Literal["visa", "mastercard"]]
    """visa when absent."""
    quote_id: Optional[str]
    """Pay from a wallet of another currency, at the rate of this quote: it must buy
    exactly what this costs.
    """
    convert: Optional[bool]
    """Pay from a wallet of another currency, at the rate of this moment."""
    label: Optional[str]
    spending_controls: Optional[SpendingControls]
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """


class IssuerFee(TypedDict):
    type: str
    """The issuer's word."""
    amount: int
    """Minor units of the card's currency."""


class KycFailure(TypedDict):
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    """Who can make it succeed."""
    code: str
    message: str


class LedgerEntryHappening(TypedDict):
    bucket: Literal["available", "held"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    wallet_id: str
    amount: int
    """Signed."""
    balance_after: int


class LedgerLine(TypedDict):
    bucket: Literal["available", "held"]
    wallet_id: Optional[str]
    """Null for a card and for an account of the platform."""
    card_id: Optional[str]
    amount: int
    """Signed."""
    balance_after: Optional[int]
    """Null for an account that is not yours."""


class Limits(TypedDict):
    requests_per_second: int
    """Of this key; 0: not limited."""
    burst: int
    """How many requests may come at once; 0: not limited."""
    amount_max: int
    """Largest amount and largest balance, in minor units."""


class MaskedIdentity(TypedDict):
    type: Literal[
        "passport",
        "national_id",
        "drivers_license",
        "voters_card",
        "bvn",
        "nin",
        "ssn",
    ]
    number: str


class Merchant(TypedDict):
    name: str
    mcc: str
    """Category, ISO 18245."""
    country: str
    """ISO 3166-1 alpha-2."""


class MeterToken(TypedDict):
    kind: str
    value: str
    units: Optional[str]


class MissedEvents(TypedDict):
    count: int
    since: str
    """When it began to fail, or was disabled."""
    replay: OfferedReplay
    """Send this to `POST /v4/webhooks/{id}/replay` to get them."""


class _MoveCardMoney(TypedDict):
    amount: int
    """Cents."""


class MoveCardMoney(_MoveCardMoney, total=False):
    wallet_id: Optional[str]
    """A USD wallet of yours. Without it: the one that paid the card."""
    reference: Optional[str]
    metadata: Optional[Dict[str, str]]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """


class Network(TypedDict):
    object: Literal["network"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    slug: str
    """What a purchase calls it."""
    name: str
    country: str
    """ISO 3166-1 alpha-2."""
    min_amount: int
    """The smallest purchase."""
    max_amount: int
    """The largest purchase."""
    commission_bps: int
    """Off the price, in basis points of the amount."""
    available: bool
    """A purchase would reach a provider now."""
    status_message: Optional[str]
    """What the operator has to say about the network now."""


class NetworkList(TypedDict):
    object: Literal["list"]
    data: List[Network]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class NewWebhookEndpoint(TypedDict):
    object: Literal["webhook_endpoint"]
    url: str
    status: Literal["enabled", "disabled"]
    """Nothing but replays and tests is sent to a disabled one."""
    sandbox_fault: Optional[Literal["duplicate", "out_of_order", "delayed", "bad_signature"]]
    """What the sandbox does to its deliveries."""
    metadata: Dict[str, str]
    secret: Optional[str]
    """Signs its deliveries. Shown once: null when a request is repeated."""
    id: str
    events: List[str]
    """Types of events, all of a resource (`transaction.*`), or everything (`*`)."""
    description: Optional[str]
    include_secrets: bool
    """Meter tokens and PINs are sent whole."""
    header_names: List[str]
    """Names of the headers that are sent along; their values are not shown."""
    max_in_flight: int
    """Requests that may be under way at once."""
    max_per_second: Optional[int]
    """Requests a second; null: as many as there are."""
    disabled_reason: Optional[str]
    """Why it is disabled."""
    disabled_at: Optional[str]
    previous_secret_expires_at: Optional[str]
    """Until then the secret before the present one signs too."""
    health: EndpointHealth
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str
    deleted_at: Optional[str]
    """A deleted one is shown only by what happened to it."""


class NotSent(TypedDict):
    reason: Literal[
        "unknown_event",
        "about_itself",
        "before_endpoint",
        "filtered",
        "relay_pending",
        "not_listening_then",
    ]
    detail: str
    """For people."""


class OfferedReplay(TypedDict):
    only: Literal["failed", "missing", "all"]
    created_gte: str
    created_lt: str


class PayBill(TypedDict, total=False):
    wallet_id: Optional[str]
    """The wallet that pays. Without it: your oldest active wallet in the currency.
    Needed to convert.
    """
    quote_id: Optional[str]
    """Pay from a wallet of another currency, at the rate of this quote: it must buy
    exactly what this costs.
    """
    convert: Optional[bool]
    """Pay from a wallet of another currency, at the rate of this moment."""
    reference: Optional[str]
    allow_duplicate: Optional[bool]
    """Let a request through that looks like a repetition of one of the last two
    minutes.
    """
    deliver_by: Optional[str]
    """No attempt starts after this; the purchase is cancelled then."""
    on_insufficient_funds: Optional[Literal["fail", "queue"]]
    """`queue` waits for money until `deliver_by`, which it needs."""
    metadata: Optional[Dict[str, str]]
    biller_code: Optional[str]
    """Needed unless `beneficiary_id` is sent."""
    item_code: Optional[str]
    """What is bought; needed where the biller sells more than one thing and the
    beneficiary has none.
    """
    customer_identifier: Optional[str]
    """The customer's number, as the biller's `customer_field` describes it. Needed
    unless `beneficiary_id` is sent.
    """
    beneficiary_id: Optional[str]
    """One of `GET /v4/beneficiaries` of the kind `meter` or `smartcard`, instead of
    `biller_code` and `customer_identifier`. Without `validation_id` the biller is
    asked who it is, where it must be.
    """
    validation_id: Optional[str]
    """From `POST /v4/bills/validate`, for the same biller and customer; needed where
    the biller says so.
    """
    service_type: Optional[str]
    """One of the biller's `service_types`; needed unless the validation or the item
    names it.
    """
    amount: Optional[int]
    """Minor units. Of an item with a fixed price it must be price × quantity, if it is
    sent.
    """
    quantity: Optional[int]
    """Months of a package, or PINs; at most the item's `max_quantity`."""


class _PayVirtualAccount(TypedDict):
    amount: int
    """Minor units of the account's currency that arrive."""


class PayVirtualAccount(_PayVirtualAccount, total=False):
    payer_name: Optional[str]
    """Who pays. Some last names do something: `virtual_accounts` of `GET
    /v4/sandbox/scenarios`.
    """


class Payer(TypedDict):
    name: str
    bank: Optional[str]
    account_number_masked: Optional[str]


class PayerScenario(TypedDict):
    final: DepositScenarioEnd
    last_name: str
    description: str
    seconds: int
    """By the account's test clock, until it ends up so."""


class _Payment(TypedDict):
    id: str
    object: Literal["payment"]
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "expired",
        "cancelled",
        "reversed",
    ]
    on_underpaid: Literal["review", "accept_received", "refund"]
    on_overpaid: Literal["review", "accept_received", "refund"]
    resolution: Optional[Literal["accept_received", "accept_requested", "refund_payer"]]
    """What a person, or the policy, did with another amount or currency. Null when
    nobody had to.
    """
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    customer: Optional[PaymentCustomer]
    failure: Optional[PaymentFailure]
    details: Dict[str, Any]
    """`breakdown`: where the fee comes from, and what extensions changed. `reversals`:
    what went back, each with the gateway’s `reference`, its `amount` and the
    `transaction_id` that took it.
    """
    metadata: Dict[str, str]
    amount: int
    """What the payer pays."""
    amount_received: Optional[int]
    """What arrived at the gateway, in `currency_received`; null while nothing did. No
    decision changes it.
    """
    amount_refunded: int
    """What of that went back to the payer: by your refunds, and by reversals, whose
    parts `details.reversals` has.
    """
    refundable: int
    """What refunds may still give back; what others under way are about to give back is
    not in it.
    """
    currency_received: Optional[str]
    """ISO 4217; another one than `currency` where somebody paid wrongly."""
    fee: int
    """Kept from the amount; the wallet gets the rest."""
    amount_display: str
    """The amount for people, never to be parsed."""
    gateway: Optional[str]
    """Through which it is paid; null while the payer can still choose."""
    available_gateways: List[str]
    """Between which the payer can choose, in order."""
    checkout_url: Optional[str]
    """The page on which it is paid: send the payer there. Whoever has the address can
    pay. Null in a dry run.
    """
    wallet_id: str
    """The wallet that is credited."""
    transaction_id: Optional[str]
    """The credit, once there is one."""
    reference: Optional[str]
    description: Optional[str]
    callback_url: Optional[str]
    needs_review: bool
    """What the gateway says contradicts the payment or itself: a person decides, and
    until then nothing is credited.
    """
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    expires_at: str
    paid_at: Optional[str]
    created_at: str
    updated_at: str


class Payment(_Payment, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class PaymentCustomer(TypedDict, total=False):
    email: str
    phone: str
    name: str


class _PaymentDetails(TypedDict):
    payment_id: str
    payment_reference: Optional[str]
    gateway_reference: Optional[str]


class PaymentDetails(_PaymentDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    gross: int
    """What counts as paid, before the fee: `amount + fee`. Minor units."""


class PaymentFailure(TypedDict):
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    code: str
    message: str


class PaymentList(TypedDict):
    object: Literal["list"]
    data: List[Payment]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class _PaymentRefundDetails(TypedDict):
    refund_id: str
    payment_id: str
    payment_reference: Optional[str]
    gateway_reference: Optional[str]
    """What the gateway calls the refund, once it said so."""


class PaymentRefundDetails(_PaymentRefundDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    approval: Approval


class PaymentScenario(TypedDict):
    final: PaymentScenarioEnd
    outcome: str
    description: str
    delay_seconds: int
    """By the account's test clock, until the gateway is done."""


class PaymentScenarioEnd(TypedDict):
    status: str
    needs_review: bool
    """The event `payment.needs_review` calls a person, and nothing is credited."""


class PaymentStatus(TypedDict):
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "expired",
        "cancelled",
        "reversed",
    ]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    failure: Optional[PaymentFailure]
    id: str
    final: bool
    """Nothing will change by itself any more, but for a reversal."""
    amount: int
    amount_received: Optional[int]
    amount_refunded: int
    currency_received: Optional[str]
    fee: int
    gateway: Optional[str]
    reference: Optional[str]
    paid_at: Optional[str]
    updated_at: str


class _PayoutDetails(TypedDict):
    bank: BankName
    account_number_masked: str
    account_name: str
    """As the bank said."""
    session_id: Optional[str]
    """By which banks find the transfer, once it is done."""
    narration: Optional[str]


class PayoutDetails(_PayoutDetails, total=False):
    conversion: Bought
    breakdown: List[BreakdownLine]
    routing: List[Dict[str, Any]]
    """What extensions changed of who is asked."""
    approval: Approval
    queued: bool
    """True while it waits for money."""
    delivered_amount: int
    """What the recipient got, once that is known. Minor units."""
    operator_reference: str
    """The operator's or biller's own reference."""
    beneficiary_id: str
    """Where one was named."""


class PhoneDelay(TypedDict):
    digit: str
    """X of the pattern."""
    seconds: int
    """By the account's test clock."""


class PhoneDetails(TypedDict):
    phone: str
    """In E.164 form."""
    country: str
    """ISO 3166-1 alpha-2."""
    network: Optional[str]
    """Null when it is not known: an order must say it then."""


class PhoneLookup(TypedDict):
    object: Literal["phone_lookup"]
    source: Optional[Literal["prefix", "porting"]]
    """Known by the range of the number, or because it was ported."""
    confidence: Optional[Literal["high", "medium"]]
    """`medium`: the number may have been ported to another network."""
    phone: Optional[str]
    """In E.164 form; null when there can be no such mobile number."""
    valid: bool
    country: Optional[str]
    """ISO 3166-1 alpha-2."""
    network: Optional[str]
    """Null when it is not known."""


class PhoneScenario(TypedDict):
    code: str
    """YZ of the pattern."""
    phone: str
    """A number of this outcome, without delay."""
    description: str
    seconds: int
    """By the account's test clock, until it has ended; the delay of X is added."""
    final: ScenarioEnd
    final_indivisible: Optional[ScenarioEnd]
    """How a data plan or a bill ends, where it is otherwise."""


class PhoneScenarios(TypedDict):
    pattern: str
    description: str
    delays: List[PhoneDelay]
    outcomes: List[PhoneScenario]


class Pin(TypedDict):
    serial: str
    pin: str


class PlanChange(TypedDict):
    kind: Literal["added", "changed"]
    plan_code: str
    fields: List[str]
    """Fields of the plan that differ."""


class ProblemError(TypedDict):
    param: str
    """JSON pointer to the field."""
    code: str
    detail: str
    """What is wrong with this field."""


class ProblemProvider(TypedDict):
    """What a provider said when it refused."""

    code: Optional[str]
    """The provider's own code."""
    message: Optional[str]
    """The provider's own words, scrubbed."""
    reference: Optional[str]
    """The provider's own id of the attempt."""


class _Problem(TypedDict):
    type: str
    """A page about the code."""
    title: str
    """The same for each occurrence of the code."""
    status: int
    """HTTP status."""
    code: str
    """For programs; never changes its meaning."""
    detail: str
    """What happened this time; for people."""
    param: Optional[str]
    """JSON pointer to the field at fault, if one is."""
    errors: List[ProblemError]
    """Every fault of the fields, up to 100."""
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    """Who can make the request succeed."""
    retryable: bool
    """The same request with the same Idempotency-Key may be sent again."""
    resource_id: Optional[str]
    """What stands in the way."""
    provider: Optional[ProblemProvider]
    """What a provider said when it refused."""
    request_id: str
    """Quote it when you ask about this failure."""


class Problem(_Problem, total=False):
    """Why a request failed (RFC 9457). `/docs/errors` explains every code."""

    expected: int
    """What the service expects: of `price_changed` the price. Minor units; only where
    it applies.
    """
    actual: int
    """What the request says instead. Minor units; only where it applies."""
    min: int
    """Of a range: the least that is taken. Minor units; only where it applies."""
    max: int
    """Of a range: the most that is taken. Minor units; only where it applies."""


class _ProviderAnswer(TypedDict):
    provider: str
    outcome: Optional[str]
    code: Optional[str]


class ProviderAnswer(_ProviderAnswer, total=False):
    number: int
    message: Optional[str]
    provider_reference: Optional[str]


class _ProviderAttempt(TypedDict):
    provider: str


class ProviderAttempt(_ProviderAttempt, total=False):
    number: int
    """The first attempt is 1."""
    reference: str
    """Ours, under which it was asked."""
    outcome: Optional[str]
    code: Optional[str]


class ProviderChoice(TypedDict):
    shares: List[ProviderShare]


class _ProviderNews(TypedDict):
    provider: str
    outcome: Optional[str]
    code: Optional[str]


class ProviderNews(_ProviderNews, total=False):
    message: Optional[str]


class ProviderShare(TypedDict):
    provider: str
    share_basis_points: int
    """How often it came first then, of 10,000: its weight, less what its calls of the
    last minutes cost it.
    """
    success_basis_points: int
    """Of 10,000 calls, those that ended well."""
    p95_ms: Optional[int]
    """95 of 100 answers took at most this; null: there were too few to say."""


class PutAuthorizationEndpoint(TypedDict):
    url: str
    """https; with test keys also http."""
    default: Literal["approve", "decline"]
    """What counts when it gives no answer of use within two seconds."""


class Quote(TypedDict):
    object: Literal["quote"]
    from_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    to_currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    side: Literal["sell", "buy"]
    rate: str
    """Units of the currency that is bought for one of that which is sold: a decimal
    number, as text.
    """
    id: str
    sell_amount: int
    buy_amount: int
    fee: int
    """In the currency that is sold."""
    total: int
    """What leaves the wallet: `sell_amount + fee`."""
    sell_display: str
    """For people, never to be parsed."""
    buy_display: str
    """For people, never to be parsed."""
    used_by: Optional[str]
    """The conversion or the transaction that used it."""
    livemode: bool
    created_at: str
    expires_at: str


Rate = TypedDict(
    "Rate",
    {
        "object": "Literal[ 'rate', ]",
        "from": "Literal[ 'NGN', 'KES', 'GHS', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'XOF', 'XAF', 'UGX', 'RWF', 'TND', 'LYD', ]",
        "to": "Literal[ 'NGN', 'KES', 'GHS', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'XOF', 'XAF', 'UGX', 'RWF', 'TND', 'LYD', ]",
        "rate": "str",
        "set_at": "str",
        "valid_until": "Optional[str]",
    },
)


class RateList(TypedDict):
    object: Literal["list"]
    data: List[Rate]


class _Refund(TypedDict):
    id: str
    object: Literal["refund"]
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "cancelled",
    ]
    failure: Optional[PaymentFailure]
    approval: Optional[Approval]
    """Null: it needs no second person."""
    metadata: Dict[str, str]
    payment_id: str
    amount: int
    """What the payer gets."""
    fee: int
    """What the wallet pays beside it. The fee of the payment stays paid."""
    currency: str
    """ISO 4217: of what the payer paid."""
    wallet_id: Optional[str]
    """The wallet that was credited, and pays; null where what arrived was never
    credited.
    """
    transaction_id: Optional[str]
    """The debit of that wallet; null without one, and in a dry run."""
    gateway: str
    gateway_reference: Optional[str]
    """The gateway's own id of the refund, once it said so."""
    reason: Optional[str]
    reference: Optional[str]
    needs_review: bool
    """The gateway says nothing, or what contradicts the refund: the money stays held
    until a person decides.
    """
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    created_at: str
    updated_at: str
    completed_at: Optional[str]


class Refund(_Refund, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class RefundList(TypedDict):
    object: Literal["list"]
    data: List[Refund]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class RefundScenario(TypedDict):
    final: RefundScenarioEnd
    suffix: str
    """Last digits of the amount in minor units."""
    outcome: str
    description: str
    delay_seconds: int
    """By the account's test clock, until the gateway is done."""


class RefundScenarioEnd(TypedDict):
    status: str
    needs_review: bool
    """The event `refund.needs_review` calls a person, and the money stays held."""


class _ReplayEvents(TypedDict):
    created_gte: str
    """Events from this moment on."""
    created_lt: str
    """Events before this moment."""


class ReplayEvents(_ReplayEvents, total=False):
    types: Optional[List[str]]
    """Of what the endpoint listens to, only these."""
    only: Optional[Literal["failed", "missing", "all"]]
    """`failed` (default): attempts ended without a success. `missing`: never tried, as
    from before the endpoint existed. `all`: delivered ones too.
    """


_Report = TypedDict(
    "_Report",
    {
        "object": "Literal[ 'report', ]",
        "kind": "Literal[ 'transactions', 'settlements', 'fees', 'commissions', 'payouts', ]",
        "format": "Literal[ 'csv', 'json', ]",
        "status": "Literal[ 'pending', 'ready', 'failed', 'expired', ]",
        "id": "str",
        "from": "str",
        "to": "str",
        "filters": "ShownFilters",
        "closed": "Optional[bool]",
        "rows": "Optional[int]",
        "bytes": "Optional[int]",
        "sha256": "Optional[str]",
        "expires_at": "Optional[str]",
        "version": "int",
        "livemode": "bool",
        "created_at": "str",
        "updated_at": "str",
        "completed_at": "Optional[str]",
    },
)
_ReportOptional = TypedDict(
    "_ReportOptional",
    {
        "previous_status": "Optional[str]",
    },
    total=False,
)


class Report(_Report, _ReportOptional):
    pass


class ReportFilters(TypedDict, total=False):
    wallet_id: Optional[str]
    """Of this wallet only."""
    currency: Optional[Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]]
    type: Optional[Literal[
        "transfer_out",
        "transfer_in",
        "airtime_purchase",
        "data_purchase",
        "bill_payment",
        "payout",
        "card_issue",
        "card_funding",
        "card_withdrawal",
        "card_fee",
        "payment",
        "payment_refund",
        "conversion_out",
        "conversion_in",
        "deposit",
        "reversal",
    ]]


class ReportLink(TypedDict):
    object: Literal["report_link"]
    report_id: str
    url: str
    expires_at: str
    """15 minutes later, or when the file is removed."""
    livemode: bool


class ReportList(TypedDict):
    object: Literal["list"]
    data: List[Report]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class RequestLog(TypedDict):
    request_body: Optional[Any]
    """Redacted; text when it was cut."""
    request_headers: Optional[Dict[str, str]]
    """Without keys and cookies; only of requests that failed."""
    answer_headers: Optional[Dict[str, str]]
    answer: Optional[Any]
    """The problem that was answered, redacted; text when it was cut."""
    object: Literal["request_log"]
    livemode: bool
    answer_days: int
    """For how many days headers and answers are kept."""
    id: str
    method: str
    path: str
    route: str
    status: int
    """499: the client did not wait for the answer."""
    handled_status: Optional[int]
    """What was answered when nobody waited for it; else null."""
    duration_ms: int
    key_id: Optional[str]
    key_last4: Optional[str]
    replayed: bool
    error_code: Optional[str]
    ip: Optional[str]
    user_agent: Optional[str]
    created_at: str


class RequestLogList(TypedDict):
    object: Literal["list"]
    data: List[RequestLog]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class Resend(TypedDict):
    object: Literal["resend_check"]
    status: Literal["not_seen", "in_progress", "completed"]
    """`not_seen`: nothing was done; send it again with the same key or reference, also
    while the first one may still be under way. `completed`: it was done, do not.
    `in_progress` is not answered today.
    """
    resource: Optional[Dict[str, Any]]
    """What the request made, as it is now. Null also when it made nothing (a clock was
    moved), and for a key that may not read such a resource.
    """
    livemode: bool


class ResolveAccount(TypedDict):
    bank_code: str
    """One of `GET /v4/banks`."""
    account_number: str
    """As the bank's `account_pattern` describes it."""


class ReturnedMoney(TypedDict):
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    wallet_id: str
    amount: int
    """Minor units."""
    transaction_id: str


class ReversalDetails(TypedDict, total=False):
    payment_id: str
    payment_reference: Optional[str]
    """Of that payment."""
    gateway_reference: str
    """What the gateway calls it."""


class ReviewDecision(TypedDict):
    outcome: str


class RotateSecret(TypedDict, total=False):
    expires_in: Optional[int]
    """Seconds for which both secrets sign."""


class SandboxClock(TypedDict):
    object: Literal["sandbox_clock"]
    now: str
    offset_seconds: int
    """How far it is ahead of the time."""
    livemode: bool


class SandboxOutage(TypedDict):
    object: Literal["sandbox_outage"]
    mode: Literal["down", "slow", "flaky", "none"]
    provider: str
    livemode: bool


class SandboxOutageList(TypedDict):
    object: Literal["list"]
    data: List[SandboxOutage]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class SandboxReset(TypedDict):
    object: Literal["sandbox_reset"]
    returned: List[ReturnedMoney]
    livemode: bool
    created_at: str


class SandboxScenarios(TypedDict):
    object: Literal["sandbox_scenarios"]
    phones: PhoneScenarios
    header: HeaderScenarios
    bill_customers: List[BillCustomerScenario]
    bank_accounts: BankAccountScenarios
    cardholders: List[CardholderScenario]
    identities: List[IdentityScenario]
    clearings: List[ClearingScenario]
    disputes: List[DisputeScenario]
    payments: List[PaymentScenario]
    refunds: List[RefundScenario]
    virtual_accounts: VirtualAccountScenarios
    providers: List[str]
    """Names of the sandbox's providers, in the order in which they are asked."""
    livemode: bool


class SandboxTransfer(TypedDict):
    object: Literal["sandbox_transfer"]
    virtual_account_id: str
    deposit_id: Optional[str]
    """What became of it so far; null: its bank has told nobody yet."""
    provider_reference: str
    """What the bank calls it."""
    session_id: str
    amount: int
    """Minor units."""
    currency: str
    payer_name: str
    livemode: bool
    created_at: str


class ScenarioEnd(TypedDict):
    status: Optional[Literal["successful", "failed", "processing", "reversed"]]
    """Null when the request is refused and there is no transaction."""
    failure_code: Optional[str]
    """`failure.code` of the transaction."""
    error_code: Optional[str]
    """`code` of the problem that the request is answered with."""
    attempts: int
    """Providers that are asked."""
    needs_review: bool
    """The event `transaction.needs_review` calls a person."""


class SetOutage(TypedDict):
    provider: str
    """A name from `providers` of `GET /v4/sandbox/scenarios`."""
    mode: Literal["down", "slow", "flaky", "none"]
    """`down`: it does not answer and loses what it is sent; `slow`: what it is sent
    arrives, no answer comes back; `flaky`: down every other time; `none`: ends the
    outage.
    """


class SettleTransaction(TypedDict):
    status: Literal["successful", "failed", "reversed"]
    """What the operator says from now on. `reversed` takes a successful purchase back.
    """


class ShownFilters(TypedDict):
    currency: Optional[Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]]
    type: Optional[Literal[
        "transfer_out",
        "transfer_in",
        "airtime_purchase",
        "data_purchase",
        "bill_payment",
        "payout",
        "card_issue",
        "card_funding",
        "card_withdrawal",
        "card_fee",
        "payment",
        "payment_refund",
        "conversion_out",
        "conversion_in",
        "deposit",
        "reversal",
    ]]
    wallet_id: Optional[str]


class _SimulateCard(TypedDict):
    kind: Literal[
        "authorization",
        "clearing",
        "void",
        "refund",
        "decline",
        "fee",
    ]
    """What the card network does."""


class SimulateCard(_SimulateCard, total=False):
    amount: Optional[int]
    """Minor units (cents). Needed but for a clearing, a void and a refund of an
    authorization: without it they are of all that is left.
    """
    merchant: Optional[SimulatedMerchant]
    """For an authorization and a decline; a shop of the sandbox by default."""
    merchant_amount: Optional[int]
    """What the merchant asks for, in minor units of its currency: what the issuer tells
    beside the amount.
    """
    merchant_currency: Optional[str]
    """ISO 4217."""
    fx_rate: Optional[str]
    """Units of the card's currency for one of the merchant's: a decimal number, as
    text.
    """
    fees: Optional[List[IssuerFee]]
    """What the issuer takes, as a part of the amount."""
    card_transaction_id: Optional[str]
    """What a clearing, a void or a refund is about. A clearing of nothing takes what
    was never authorized, a refund of nothing brings what nobody knows to have been
    paid.
    """
    decline_reason: Optional[Literal[
        "insufficient_funds",
        "card_frozen",
        "card_blocked",
        "card_expired",
        "card_terminated",
        "card_not_active",
        "spending_limit",
        "mcc_blocked",
        "country_blocked",
        "merchant_declined",
        "issuer_declined",
        "endpoint_declined",
        "endpoint_unavailable",
    ]]
    """For a decline; `merchant_declined` by default."""


class SimulatedMerchant(TypedDict):
    name: str
    mcc: str
    """Category, ISO 18245."""
    country: str
    """ISO 3166-1 alpha-2."""


class SpendingControls(TypedDict, total=False):
    limits: Optional[List[SpendingLimit]]
    allowed_mccs: Optional[List[str]]
    """ISO 18245. Empty: all."""
    blocked_mccs: Optional[List[str]]
    """ISO 18245."""
    allowed_countries: Optional[List[str]]
    """ISO 3166-1 alpha-2. Empty: all."""
    blocked_countries: Optional[List[str]]
    """ISO 3166-1 alpha-2."""


class SpendingLimit(TypedDict):
    amount: int
    """Minor units (cents)."""
    interval: Literal[
        "per_authorization",
        "daily",
        "weekly",
        "monthly",
        "all_time",
    ]


Statement = TypedDict(
    "Statement",
    {
        "object": "Literal[ 'statement', ]",
        "currency": "Literal[ 'NGN', 'KES', 'GHS', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'XOF', 'XAF', 'UGX', 'RWF', 'TND', 'LYD', ]",
        "data": "List[StatementLine]",
        "hash": "str",
        "wallet_id": "str",
        "time_zone": "str",
        "from": "str",
        "to": "str",
        "livemode": "bool",
        "closed": "bool",
        "opening": "int",
        "closing": "int",
        "total_in": "Optional[int]",
        "total_out": "Optional[int]",
    },
)


StatementLine = TypedDict(
    "StatementLine",
    {
        "type": "Literal[ 'transfer_out', 'transfer_in', 'airtime_purchase', 'data_purchase', 'bill_payment', 'payout', 'card_issue', 'card_funding', 'card_withdrawal', 'card_fee', 'payment', 'payment_refund', 'conversion_out', 'conversion_in', 'deposit', 'reversal', ]",
        "at": "str",
        "transaction_id": "str",
        "description": "str",
        "counterparty": "Optional[str]",
        "recipient": "Optional[str]",
        "reference": "Optional[str]",
        "in": "int",
        "out": "int",
        "balance": "int",
    },
)


class Timeline(TypedDict):
    object: Literal["list"]
    data: List[TimelineItem]
    has_more: bool
    """Always false: a timeline comes whole."""
    next_cursor: Optional[str]


class TransactionCompleted(TypedDict):
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "cancelled",
        "reversed",
    ]


class TransactionCreated(TypedDict):
    type: Literal[
        "transfer_out",
        "transfer_in",
        "airtime_purchase",
        "data_purchase",
        "bill_payment",
        "payout",
        "card_issue",
        "card_funding",
        "card_withdrawal",
        "card_fee",
        "payment",
        "payment_refund",
        "conversion_out",
        "conversion_in",
        "deposit",
        "reversal",
    ]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    amount: int
    reference: Optional[str]


class TransactionFailure(TypedDict):
    stage: Literal["platform", "provider"]
    """Who refused it."""
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    """Who can make it succeed."""
    code: str
    message: str


class TransactionList(TypedDict):
    object: Literal["list"]
    data: List[Transaction]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class TransactionProvider(TypedDict):
    name: str
    reference: Optional[str]
    """The provider's own id, once it gave one."""
    attempts: int
    """How often a provider was asked."""


class _Transfer(TypedDict):
    id: str
    object: Literal["transfer"]
    status: Literal["processing", "successful", "failed"]
    """`processing` and `failed` only of a transfer to a wallet that is kept elsewhere:
    its money is held, and back where it failed.
    """
    failure: Optional[TransferFailure]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    metadata: Dict[str, str]
    from_wallet: str
    to_wallet: str
    amount: int
    fee: int
    amount_display: str
    """For people, never to be parsed."""
    reference: Optional[str]
    narration: Optional[str]
    transactions: TransferTransactions
    version: int
    """Grows with each change: 1 while it is `processing`, 2 once it has ended."""
    livemode: bool
    created_at: str


class Transfer(_Transfer, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class TransferDetails(TypedDict, total=False):
    transfer_id: str
    """Where the transfer is this account's."""
    narration: Optional[str]
    """What the sender wrote."""
    beneficiary_id: str
    """Of what was sent: where one was named."""
    sender_reference: Optional[str]
    """Of what arrived: the sender's own reference."""


class TransferFailure(TypedDict):
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    code: str
    message: str


class TransferList(TypedDict):
    object: Literal["list"]
    data: List[Transfer]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class TransferPayer(TypedDict):
    name: str
    bank: Optional[str]
    account_number_masked: Optional[str]


class TransferTransactions(TypedDict):
    debit: Optional[str]
    credit: Optional[str]
    """Null when the receiving wallet is another account's."""


class TriggerEvent(TypedDict):
    type: Literal[
        "transaction.awaiting_approval",
        "transaction.processing",
        "transaction.successful",
        "transaction.failed",
        "transaction.reversed",
        "transaction.cancelled",
        "transaction.needs_review",
        "transfer.successful",
        "conversion.successful",
        "batch.validating",
        "batch.scheduled",
        "batch.running",
        "batch.progressed",
        "batch.paused",
        "batch.completed",
        "batch.invalid",
        "batch.failed",
        "batch.cancelled",
        "payment.successful",
        "payment.failed",
        "payment.expired",
        "payment.cancelled",
        "payment.partially_reversed",
        "payment.reversed",
        "payment.needs_review",
        "refund.awaiting_approval",
        "refund.processing",
        "refund.successful",
        "refund.failed",
        "refund.cancelled",
        "refund.needs_review",
        "deposit.received",
        "deposit.needs_review",
        "deposit.returned",
        "card.issued",
        "card.issue_failed",
        "card.needs_review",
        "card.funded",
        "card.withdrawn",
        "card.frozen",
        "card.unfrozen",
        "card.blocked",
        "card.terminated",
        "card.expired",
        "card.overdrawn",
        "card.decline_warning",
        "card.authentication_code",
        "card.transaction.authorized",
        "card.transaction.settled",
        "card.transaction.declined",
        "card.transaction.voided",
        "card.transaction.expired",
        "card.transaction.refunded",
        "customer.verified",
        "customer.rejected",
        "customer.needs_review",
        "dispute.opened",
        "dispute.under_review",
        "dispute.won",
        "dispute.lost",
        "dispute.withdrawn",
        "dispute.needs_review",
        "wallet.created",
        "wallet.updated",
        "wallet.credited",
        "wallet.low_balance",
        "wallet.frozen",
        "wallet.unfrozen",
        "wallet.closed",
        "day.closed",
        "report.ready",
        "report.failed",
        "catalogue.updated",
        "biller.status_changed",
        "webhook_endpoint.failing",
        "webhook_endpoint.disabled",
        "webhook_endpoint.recovered",
        "webhook_endpoint.secret_rotated",
        "webhook_endpoint.test",
    ]


class UpdateBeneficiary(TypedDict, total=False):
    label: Optional[str]
    metadata: Optional[Dict[str, str]]


class UpdateCard(TypedDict, total=False):
    label: Optional[str]
    spending_controls: Optional[SpendingControls]
    metadata: Optional[Dict[str, str]]


class UpdateCustomer(TypedDict, total=False):
    first_name: Optional[str]
    last_name: Optional[str]
    email: Optional[str]
    phone: Optional[str]
    """E.164."""
    date_of_birth: Optional[str]
    """A cardholder is 18 or older."""
    address: Optional[Address]
    identity: Optional[Identity]
    metadata: Optional[Dict[str, str]]


class UpdateWallet(TypedDict, total=False):
    label: Optional[str]
    low_balance_threshold: Optional[int]
    """Minor units. `wallet.low_balance` tells when the available balance falls below.
    """
    metadata: Optional[Dict[str, str]]


class UpdateWebhookEndpoint(TypedDict, total=False):
    url: Optional[str]
    """https; with test keys also http."""
    events: Optional[List[str]]
    """Types of events, all of a resource (`transaction.*`), or everything (`*`)."""
    description: Optional[str]
    include_secrets: Optional[bool]
    """Send meter tokens and PINs whole, which are masked otherwise, and
    `card.authentication_code`, which is not sent otherwise.
    """
    headers: Optional[Dict[str, str]]
    """Headers that are sent along, such as a key of your gateway. They are kept sealed
    and never shown again. Of an endpoint that exists, those that are not named stay,
    and null takes one away; they all go when its URL moves to another host.
    """
    max_in_flight: Optional[int]
    """Requests that may be under way at once."""
    max_per_second: Optional[int]
    """Requests a second; null: as many as there are."""
    metadata: Optional[Dict[str, str]]


class _ValidateCustomer(TypedDict):
    biller_code: str
    customer_identifier: str
    """The customer's number, as the biller's `customer_field` describes it."""


class ValidateCustomer(_ValidateCustomer, total=False):
    item_code: Optional[str]
    """What is to be bought; it narrows the bounds of the amount."""
    service_type: Optional[str]
    """One of the biller's `service_types`."""


class Validity(TypedDict):
    quantity: int
    unit: str


class VerifyCustomer(TypedDict):
    pass


class VirtualAccount(TypedDict):
    object: Literal["virtual_account"]
    kind: Literal["permanent", "one_time"]
    status: Literal["pending", "active", "used", "expired", "closed", "failed"]
    """`pending`: the bank has given no number yet, and is asked again; `used`: a
    one-time account that took its transfer; `failed`: the bank gives none. What
    arrives at one that is not `active` is held for a person.
    """
    bank: Optional[VirtualAccountBank]
    """Null until the bank gave a number."""
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    on_underpaid: Optional[Literal["review", "accept_received", "refund"]]
    """Null where no amount can be missed."""
    on_overpaid: Optional[Literal["review", "accept_received", "refund"]]
    """Null where no amount can be missed."""
    failure: Optional[VirtualAccountFailure]
    id: Optional[str]
    """Null in a dry run."""
    account_number: Optional[str]
    account_name: Optional[str]
    """As payers see it."""
    wallet_id: str
    """The wallet that gets what arrives."""
    amount: Optional[int]
    """What is to be paid into a one-time account; null: anything."""
    customer_id: Optional[str]
    label: Optional[str]
    reference: Optional[str]
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    expires_at: Optional[str]
    """Null: it does not expire."""
    created_at: str
    updated_at: str


class VirtualAccountBank(TypedDict):
    code: Optional[str]
    """As the country's clearing house has it."""
    name: str


class VirtualAccountFailure(TypedDict):
    recovery: Literal[
        "retry_later",
        "caller_must_fix",
        "account_must_act",
        "recipient_must_act",
        "none",
    ]
    code: str
    message: str


class VirtualAccountList(TypedDict):
    object: Literal["list"]
    data: List[VirtualAccount]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class VirtualAccountScenarios(TypedDict):
    labels: List[AccountLabelScenario]
    payers: List[PayerScenario]


class _Wallet(TypedDict):
    object: Literal["wallet"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    status: Literal["active", "frozen", "closed"]
    """A frozen wallet does not pay, or takes no money: `freezes` say which. A closed
    one does neither.
    """
    freezes: List[WalletFreeze]
    """None unless it is frozen."""
    metadata: Dict[str, str]
    id: str
    label: Optional[str]
    balance: Balance
    balance_display: str
    """The available balance for people, never to be parsed."""
    credit_limit: int
    """Minor units by which `available` may be below zero: agreed with the operator, who
    alone sets it.
    """
    low_balance_threshold: Optional[int]
    """Minor units."""
    reference: Optional[str]
    livemode: bool
    version: int
    """Grows with each change: of two objects, the one with the higher version is the
    newer one.
    """
    created_at: str
    updated_at: str


class Wallet(_Wallet, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class WalletDay(TypedDict):
    object: Literal["day"]
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    counts: Dict[str, int]
    """How many lines of the statement there are, by the type of their transaction."""
    id: str
    wallet_id: str
    date: str
    """By the calendar, which no test clock moves."""
    ends_at: str
    """The midnight that ended it, in the time zone that the account had."""
    through_sequence: int
    """Number of the wallet's last ledger entry in it, or in a day before."""
    opening: int
    """Available and held together, at its beginning: the `closing` of the day before.
    """
    total_in: Optional[int]
    """What came. Null: more than a number holds; the lines of the statement sum up to
    it.
    """
    total_out: Optional[int]
    """What went, fees included. Null likewise."""
    closing: int
    """`opening` + `total_in` − `total_out`."""
    previous_hash: str
    """Of the day before; zeros for the first."""
    hash: str
    """SHA-256 over `previous_hash` and all that the day says: a chain that
    `verify:ledger` computes again.
    """
    livemode: bool
    created_at: str
    """When it was closed."""


class WalletDayList(TypedDict):
    object: Literal["list"]
    data: List[WalletDay]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class WalletDetails(TypedDict):
    wallet_id: str


class WalletFreeze(TypedDict):
    by: Literal["owner", "operator"]
    """`operator`: of the whole account, and not yours to end."""
    direction: Literal["debit", "credit", "both"]
    """Which way money does not move."""
    reason: Optional[str]
    until: Optional[str]
    """It ends by itself then."""


class WalletList(TypedDict):
    object: Literal["list"]
    data: List[Wallet]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class WebhookDelivery(TypedDict):
    object: Literal["webhook_delivery"]
    event_type: Literal[
        "transaction.awaiting_approval",
        "transaction.processing",
        "transaction.successful",
        "transaction.failed",
        "transaction.reversed",
        "transaction.cancelled",
        "transaction.needs_review",
        "transfer.successful",
        "conversion.successful",
        "batch.validating",
        "batch.scheduled",
        "batch.running",
        "batch.progressed",
        "batch.paused",
        "batch.completed",
        "batch.invalid",
        "batch.failed",
        "batch.cancelled",
        "payment.successful",
        "payment.failed",
        "payment.expired",
        "payment.cancelled",
        "payment.partially_reversed",
        "payment.reversed",
        "payment.needs_review",
        "refund.awaiting_approval",
        "refund.processing",
        "refund.successful",
        "refund.failed",
        "refund.cancelled",
        "refund.needs_review",
        "deposit.received",
        "deposit.needs_review",
        "deposit.returned",
        "card.issued",
        "card.issue_failed",
        "card.needs_review",
        "card.funded",
        "card.withdrawn",
        "card.frozen",
        "card.unfrozen",
        "card.blocked",
        "card.terminated",
        "card.expired",
        "card.overdrawn",
        "card.decline_warning",
        "card.authentication_code",
        "card.transaction.authorized",
        "card.transaction.settled",
        "card.transaction.declined",
        "card.transaction.voided",
        "card.transaction.expired",
        "card.transaction.refunded",
        "customer.verified",
        "customer.rejected",
        "customer.needs_review",
        "dispute.opened",
        "dispute.under_review",
        "dispute.won",
        "dispute.lost",
        "dispute.withdrawn",
        "dispute.needs_review",
        "wallet.created",
        "wallet.updated",
        "wallet.credited",
        "wallet.low_balance",
        "wallet.frozen",
        "wallet.unfrozen",
        "wallet.closed",
        "day.closed",
        "report.ready",
        "report.failed",
        "catalogue.updated",
        "biller.status_changed",
        "webhook_endpoint.failing",
        "webhook_endpoint.disabled",
        "webhook_endpoint.recovered",
        "webhook_endpoint.secret_rotated",
        "webhook_endpoint.test",
    ]
    status: Literal[
        "pending",
        "retrying",
        "delivered",
        "exhausted",
        "disabled",
        "aborted",
    ]
    """`retrying`: at least one attempt failed. `disabled`: the endpoint was, when the
    event came. `aborted`: its receiver asked for that.
    """
    id: str
    endpoint_id: str
    event_id: str
    attempt_count: int
    """Attempts that were made."""
    is_replay: bool
    """A replay, a retry or a test that you asked for."""
    last_code: Optional[str]
    """What came of the last attempt."""
    last_http_status: Optional[int]
    """What the last attempt was answered with; null without an answer."""
    next_attempt_at: Optional[str]
    livemode: bool
    created_at: str
    completed_at: Optional[str]


class WebhookDeliveryList(TypedDict):
    object: Literal["list"]
    data: List[WebhookDelivery]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""
    not_sent: Optional[NotSent]
    """Only for `event_id` without a delivery to this endpoint."""


class _WebhookEndpoint(TypedDict):
    object: Literal["webhook_endpoint"]
    url: str
    status: Literal["enabled", "disabled"]
    """Nothing but replays and tests is sent to a disabled one."""
    sandbox_fault: Optional[Literal["duplicate", "out_of_order", "delayed", "bad_signature"]]
    """What the sandbox does to its deliveries."""
    metadata: Dict[str, str]
    id: str
    events: List[str]
    """Types of events, all of a resource (`transaction.*`), or everything (`*`)."""
    description: Optional[str]
    include_secrets: bool
    """Meter tokens and PINs are sent whole."""
    header_names: List[str]
    """Names of the headers that are sent along; their values are not shown."""
    max_in_flight: int
    """Requests that may be under way at once."""
    max_per_second: Optional[int]
    """Requests a second; null: as many as there are."""
    disabled_reason: Optional[str]
    """Why it is disabled."""
    disabled_at: Optional[str]
    previous_secret_expires_at: Optional[str]
    """Until then the secret before the present one signs too."""
    health: EndpointHealth
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str
    deleted_at: Optional[str]
    """A deleted one is shown only by what happened to it."""


class WebhookEndpoint(_WebhookEndpoint, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class WebhookEndpointList(TypedDict):
    object: Literal["list"]
    data: List[WebhookEndpoint]
    has_more: bool
    """There are more rows behind the last one."""
    next_cursor: Optional[str]
    """The `cursor` of the next page; null on the last."""


class WebhookMissed(TypedDict):
    object: Literal["webhook_missed"]
    endpoint_id: str
    count: int
    since: Optional[str]
    """When it began to fail, or was disabled."""
    replay: Optional[OfferedReplay]
    """Send this to `POST /v4/webhooks/{id}/replay` to get them."""
    livemode: bool


class WebhookReplay(TypedDict):
    object: Literal["webhook_replay"]
    endpoint_id: str
    count: Optional[int]
    """Events; null when a request is repeated."""
    dry_run: bool
    """Nothing was sent."""
    livemode: bool


class ListPaymentsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of pending, processing, successful,
    failed, expired, cancelled, reversed.
    """
    gateway: str
    """Through which it was paid."""
    reference: str
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    wallet_id: str
    needs_review: bool
    """Those that people must look at, or the others."""
    amount_gte: int
    amount_lte: int
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""
    metadata: Dict[str, str]
    """Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to
    3.
    """


class ListPaymentRefundsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class ListRefundsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of pending, processing, successful,
    failed, cancelled.
    """
    payment_id: str
    wallet_id: str
    reference: str
    needs_review: bool
    """Those that people must look at, or the others."""
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""


class ListAirtimeNetworksQuery(TypedDict, total=False):
    country: str
    """ISO 3166-1 alpha-2. Without it: the networks of all countries."""


class ListBanksQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    country: str
    """ISO 3166-1 alpha-2."""
    q: str
    """Part of the name, or the code."""


class ListBatchesQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of validating, scheduled, running, paused,
    completed, invalid, failed, cancelled.
    """
    kind: Literal["airtime", "data", "bill", "transfer", "payout"]
    reference: str


class ListBatchItemsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of pending, valid, invalid, processing,
    successful, failed, cancelled.
    """


class ListBeneficiariesQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    kind: Literal["bank_account", "phone", "meter", "smartcard", "wallet"]
    q: str
    """Part of the label, of the verified name, or of the number: of the account, phone,
    meter, smartcard or wallet.
    """


class ListBillersQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    category: str
    country: str
    """ISO 3166-1 alpha-2."""


class ListBillerItemsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class ListCardsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of pending, active, failed, frozen,
    blocked, terminated, expired.
    """
    overdrawn: bool
    """Whether it owes money."""
    needs_review: bool
    """Those that people must look at, or the others."""
    customer_id: str
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""
    metadata: Dict[str, str]
    """Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to
    3.
    """


class ListCardTransactionsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: Literal[
        "authorized",
        "settled",
        "voided",
        "expired",
        "declined",
        "refunded",
    ]
    type: Literal[
        "authorization",
        "clearing",
        "refund",
        "fee",
        "dispute_credit",
        "dispute_reversal",
    ]
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""


class ListCardTransitionsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class ListConversionsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class ListCustomersQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    kyc_tier: Literal[0, 1, 2, 3]
    """Only cardholders of this tier."""
    metadata: Dict[str, str]
    """Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to
    3.
    """


class ListDataPlansQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    network: str
    """Slug or alias, as in GET /v4/airtime/networks; capitals or not."""
    country: str
    """ISO 3166-1 alpha-2."""
    type: Literal[
        "direct",
        "sme",
        "corporate_gifting",
        "gifting",
        "social",
        "broadband",
    ]
    q: str
    """Words that the name or the code must have."""


class ListDepositsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of received, credited, to_be_returned,
    returned, failed.
    """
    virtual_account_id: str
    needs_review: bool
    """Those that people must look at, or the others."""
    created_gte: str
    """Told of at or after."""
    created_lt: str
    """Told of before."""


class ListDisputesQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of open, under_review, won, lost,
    withdrawn.
    """
    card_id: str
    card_transaction_id: str
    needs_review: bool
    """Those that people must look at, or the others."""
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""


class ListEventsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    type: str
    """One or several, by commas or repeated: types, or all of a resource (`card.*`)."""
    created_gte: str
    created_lt: str
    order: Literal["asc", "desc"]
    """`asc`: in the order of commits, to be followed without gaps: `next_cursor` is
    always there, and `Prefer: wait=N` holds the answer back until there is
    something.
    """
    after: str
    """With `order=asc`: the `next_cursor` to go on from, however long ago it was given.
    """
    delivery_success: bool
    """true: delivered to all endpoints that were to be told. false: to one of them not,
    or not yet. Not with `order=asc`.
    """


class ListEventDeliveriesQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class ListPayoutsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    bank: str
    """Code of a bank."""
    status: str
    """One or several, by commas or repeated, of pending, processing, successful,
    failed, cancelled, reversed.
    """
    wallet_id: str
    reference: str
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""


class _LookUpPhoneQuery(TypedDict):
    phone: str
    """In E.164 form, with or without `+`, or in local form: of `country`, else of the
    country of the paying wallet's currency.
    """


class LookUpPhoneQuery(_LookUpPhoneQuery, total=False):
    country: str
    """ISO 3166-1 alpha-2. Needed for a number in local form."""


ListRatesQuery = TypedDict(
    "ListRatesQuery",
    {
        "from": "Literal[ 'NGN', 'KES', 'GHS', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'XOF', 'XAF', 'UGX', 'RWF', 'TND', 'LYD', ]",
        "to": "Literal[ 'NGN', 'KES', 'GHS', 'ZAR', 'USD', 'EUR', 'GBP', 'TZS', 'ZMW', 'XOF', 'XAF', 'UGX', 'RWF', 'TND', 'LYD', ]",
    },
    total=False,
)


class ListReportsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    kind: str
    """One or several, by commas or repeated, of transactions, settlements, fees,
    commissions, payouts.
    """
    status: str
    """One or several, by commas or repeated, of pending, ready, failed, expired."""


class ListRequestLogsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """A status, or a class of them: `404`, `4xx`."""
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    path: str
    """A part of the path."""
    key_id: str
    route: str
    """As the log has it: `/v4/airtime/purchase`, `/v4/wallets/:id`."""
    error_code: str
    created_gte: str
    """30 days ago when absent."""
    created_lt: str


class ListTransactionsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    type: str
    """One or several, by commas or repeated, of transfer_out, transfer_in,
    airtime_purchase, data_purchase, bill_payment, payout, card_issue, card_funding,
    card_withdrawal, card_fee, payment, payment_refund, conversion_out,
    conversion_in, deposit, reversal.
    """
    status: str
    """One or several, by commas or repeated, of pending, processing, successful,
    failed, cancelled, reversed.
    """
    wallet_id: str
    direction: Literal["debit", "credit"]
    reference: str
    recipient: str
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    needs_review: bool
    """Those that people must look at, or the others."""
    amount_gte: int
    amount_lte: int
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""
    metadata: Dict[str, str]
    """Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to
    3.
    """


class ListVirtualAccountsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: str
    """One or several, by commas or repeated, of pending, active, used, expired, closed,
    failed.
    """
    kind: Literal["permanent", "one_time"]
    wallet_id: str
    customer_id: str
    reference: str
    account_number: str
    created_gte: str
    """Created at or after."""
    created_lt: str
    """Created before."""


class ListWalletsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    status: Literal["active", "frozen", "closed"]
    metadata: Dict[str, str]
    """Only what has these pairs in its metadata, exactly: `metadata[order]=1001`, up to
    3.
    """


class ListTransfersQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class GetWalletQuery(TypedDict, total=False):
    at: str
    """Balances as they stood at this moment."""


class ListWalletDaysQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""


class ListWalletEntriesQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    created_gte: str
    created_lt: str


GetWalletStatementQuery = TypedDict(
    "GetWalletStatementQuery",
    {
        "from": "str",
        "to": "str",
    },
    total=False,
)


class ListWebhookEndpointsQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: Literal["enabled", "disabled"]


class ListWebhookDeliveriesQuery(TypedDict, total=False):
    limit: int
    """Rows of a page."""
    cursor: str
    """`next_cursor` of the page before."""
    status: Literal[
        "pending",
        "retrying",
        "delivered",
        "exhausted",
        "disabled",
        "aborted",
    ]
    event_id: str
    """Deliveries of one event. When there are none, `not_sent` says why."""
    type: str
    """Of events of these types, by commas or repeated: types, or all of a resource
    (`card.*`).
    """
    http_status: str
    """What the last attempt was answered with."""


class _BeneficiaryCommon(TypedDict):
    object: Literal["beneficiary"]
    metadata: Dict[str, str]
    id: str
    label: str
    verified_name: Optional[str]
    """As the bank or the biller said when it was added; null where nobody says a name.
    """
    last_used_at: Optional[str]
    """When an order for it was last placed."""
    deleted_at: Optional[str]
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str


class BankAccountBeneficiary(_BeneficiaryCommon):
    kind: Literal["bank_account"]
    details: BankAccountDetails


class PhoneBeneficiary(_BeneficiaryCommon):
    kind: Literal["phone"]
    details: PhoneDetails


class MeterBeneficiary(_BeneficiaryCommon):
    kind: Literal["meter"]
    details: CustomerDetails


class SmartcardBeneficiary(_BeneficiaryCommon):
    kind: Literal["smartcard"]
    details: CustomerDetails


class WalletBeneficiary(_BeneficiaryCommon):
    kind: Literal["wallet"]
    details: WalletDetails


class _DryRunTransactionCommon(TypedDict):
    id: None
    """Nothing was made."""
    object: Literal["transaction"]
    direction: Literal["debit", "credit"]
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "cancelled",
        "reversed",
    ]
    total: int
    """What the wallet paid or got. Of a debit amount + fee − commission; of a credit
    the amount: amount + fee is what was paid, and the fee was kept of it.
    """
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    failure: Optional[TransactionFailure]
    metadata: Dict[str, str]
    wallet_id: Optional[str]
    """Null when the money was a card's: then `details` name it."""
    counterparty: Optional[str]
    """The wallet on the other side."""
    amount: int
    """Without fee and commission."""
    fee: int
    commission: int
    amount_display: str
    """For people, never to be parsed."""
    balance_before: Optional[int]
    """Available balance of the wallet before the movement."""
    balance_after: Optional[int]
    """Available balance of the wallet after the movement."""
    reference: Optional[str]
    """The caller's own id of the request."""
    recipient: Optional[str]
    provider: Optional[TransactionProvider]
    next_check_at: Optional[str]
    """When a running transaction is looked at again."""
    reverses: Optional[str]
    """The transaction that this one takes back."""
    reversed_by: Optional[str]
    """The transaction that took this one back."""
    needs_review: bool
    """People must decide what became of it, or look at an answer that contradicts an
    earlier one.
    """
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str
    completed_at: Optional[str]
    ledger: List[LedgerLine]
    """Only in a dry run: what the ledger would write."""


class TransferOutDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["transfer_out"]
    details: TransferDetails


class TransferInDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["transfer_in"]
    details: TransferDetails


class AirtimePurchaseDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["airtime_purchase"]
    details: AirtimeDetails


class DataPurchaseDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["data_purchase"]
    details: DataDetails


class BillPaymentDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["bill_payment"]
    details: BillDetails


class PayoutDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["payout"]
    details: PayoutDetails


class CardIssueDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["card_issue"]
    details: CardDetails


class CardFundingDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["card_funding"]
    details: CardDetails


class CardWithdrawalDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["card_withdrawal"]
    details: CardDetails


class CardFeeDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["card_fee"]
    details: CardDetails


class PaymentDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["payment"]
    details: PaymentDetails


class PaymentRefundDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["payment_refund"]
    details: PaymentRefundDetails


class ConversionOutDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["conversion_out"]
    details: ConversionDetails


class ConversionInDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["conversion_in"]
    details: ConversionDetails


class DepositDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["deposit"]
    details: DepositDetails


class ReversalDryRunTransaction(_DryRunTransactionCommon):
    type: Literal["reversal"]
    details: ReversalDetails


class _TimelineItemCommon(TypedDict):
    at: str


class TransactionCreatedTimelineItem(_TimelineItemCommon):
    kind: Literal["transaction.created"]
    data: TransactionCreated


class LedgerEntryTimelineItem(_TimelineItemCommon):
    kind: Literal["ledger.entry"]
    data: LedgerEntryHappening


class ProviderChoiceTimelineItem(_TimelineItemCommon):
    kind: Literal["provider.choice"]
    data: ProviderChoice


class ProviderAttemptTimelineItem(_TimelineItemCommon):
    kind: Literal["provider.attempt"]
    data: ProviderAttempt


class ProviderAnswerTimelineItem(_TimelineItemCommon):
    kind: Literal["provider.answer"]
    data: ProviderAnswer


class ProviderRequeryTimelineItem(_TimelineItemCommon):
    kind: Literal["provider.requery"]
    data: ProviderNews


class ProviderCallbackTimelineItem(_TimelineItemCommon):
    kind: Literal["provider.callback"]
    data: ProviderNews


class ReviewDecisionTimelineItem(_TimelineItemCommon):
    kind: Literal["review.decision"]
    data: ReviewDecision


class EventTimelineItem(_TimelineItemCommon):
    kind: Literal["event"]
    data: EventHappening


class WebhookDeliveryTimelineItem(_TimelineItemCommon):
    kind: Literal["webhook.delivery"]
    data: DeliveryHappening


class TransactionCompletedTimelineItem(_TimelineItemCommon):
    kind: Literal["transaction.completed"]
    data: TransactionCompleted


class __TransactionCommon(TypedDict):
    id: str
    object: Literal["transaction"]
    direction: Literal["debit", "credit"]
    status: Literal[
        "pending",
        "processing",
        "successful",
        "failed",
        "cancelled",
        "reversed",
    ]
    total: int
    """What the wallet paid or got. Of a debit amount + fee − commission; of a credit
    the amount: amount + fee is what was paid, and the fee was kept of it.
    """
    currency: Literal[
        "NGN",
        "KES",
        "GHS",
        "ZAR",
        "USD",
        "EUR",
        "GBP",
        "TZS",
        "ZMW",
        "XOF",
        "XAF",
        "UGX",
        "RWF",
        "TND",
        "LYD",
    ]
    failure: Optional[TransactionFailure]
    metadata: Dict[str, str]
    wallet_id: Optional[str]
    """Null when the money was a card's: then `details` name it."""
    counterparty: Optional[str]
    """The wallet on the other side."""
    amount: int
    """Without fee and commission."""
    fee: int
    commission: int
    amount_display: str
    """For people, never to be parsed."""
    balance_before: Optional[int]
    """Available balance of the wallet before the movement."""
    balance_after: Optional[int]
    """Available balance of the wallet after the movement."""
    reference: Optional[str]
    """The caller's own id of the request."""
    recipient: Optional[str]
    provider: Optional[TransactionProvider]
    next_check_at: Optional[str]
    """When a running transaction is looked at again."""
    reverses: Optional[str]
    """The transaction that this one takes back."""
    reversed_by: Optional[str]
    """The transaction that took this one back."""
    needs_review: bool
    """People must decide what became of it, or look at an answer that contradicts an
    earlier one.
    """
    livemode: bool
    version: int
    """Grows by one with each change: of two objects, the one with the higher version is
    the newer one.
    """
    created_at: str
    updated_at: str
    completed_at: Optional[str]


class _TransactionCommon(__TransactionCommon, total=False):
    previous_status: Optional[str]
    """Only in events: what `status` was before. Absent where that says nothing."""


class TransferOutTransaction(_TransactionCommon):
    type: Literal["transfer_out"]
    details: TransferDetails


class TransferInTransaction(_TransactionCommon):
    type: Literal["transfer_in"]
    details: TransferDetails


class AirtimePurchaseTransaction(_TransactionCommon):
    type: Literal["airtime_purchase"]
    details: AirtimeDetails


class DataPurchaseTransaction(_TransactionCommon):
    type: Literal["data_purchase"]
    details: DataDetails


class BillPaymentTransaction(_TransactionCommon):
    type: Literal["bill_payment"]
    details: BillDetails


class PayoutTransaction(_TransactionCommon):
    type: Literal["payout"]
    details: PayoutDetails


class CardIssueTransaction(_TransactionCommon):
    type: Literal["card_issue"]
    details: CardDetails


class CardFundingTransaction(_TransactionCommon):
    type: Literal["card_funding"]
    details: CardDetails


class CardWithdrawalTransaction(_TransactionCommon):
    type: Literal["card_withdrawal"]
    details: CardDetails


class CardFeeTransaction(_TransactionCommon):
    type: Literal["card_fee"]
    details: CardDetails


class PaymentTransaction(_TransactionCommon):
    type: Literal["payment"]
    details: PaymentDetails


class PaymentRefundTransaction(_TransactionCommon):
    type: Literal["payment_refund"]
    details: PaymentRefundDetails


class ConversionOutTransaction(_TransactionCommon):
    type: Literal["conversion_out"]
    details: ConversionDetails


class ConversionInTransaction(_TransactionCommon):
    type: Literal["conversion_in"]
    details: ConversionDetails


class DepositTransaction(_TransactionCommon):
    type: Literal["deposit"]
    details: DepositDetails


class ReversalTransaction(_TransactionCommon):
    type: Literal["reversal"]
    details: ReversalDetails


class _EventCommon(TypedDict):
    object: Literal["event"]
    api_version: Literal["v4"]
    id: str
    account_id: str
    request: EventRequest
    livemode: bool
    timestamp: str
    """When it happened."""
    created_at: str


class __TransactionData(TypedDict):
    object: Transaction


class _TransactionData(__TransactionData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __TransferData(TypedDict):
    object: Transfer


class _TransferData(__TransferData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __ConversionData(TypedDict):
    object: Conversion


class _ConversionData(__ConversionData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __BatchData(TypedDict):
    object: Batch


class _BatchData(__BatchData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __PaymentData(TypedDict):
    object: Payment


class _PaymentData(__PaymentData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __RefundData(TypedDict):
    object: Refund


class _RefundData(__RefundData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __DepositData(TypedDict):
    object: Deposit


class _DepositData(__DepositData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __CardData(TypedDict):
    object: Card


class _CardData(__CardData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __CardAuthenticationData(TypedDict):
    object: CardAuthentication


class _CardAuthenticationData(__CardAuthenticationData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __CardTransactionData(TypedDict):
    object: CardTransaction


class _CardTransactionData(__CardTransactionData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __CustomerData(TypedDict):
    object: Customer


class _CustomerData(__CustomerData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __DisputeData(TypedDict):
    object: Dispute


class _DisputeData(__DisputeData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __WalletData(TypedDict):
    object: Wallet


class _WalletData(__WalletData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __ReportData(TypedDict):
    object: Report


class _ReportData(__ReportData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __CatalogueUpdateData(TypedDict):
    object: CatalogueUpdate


class _CatalogueUpdateData(__CatalogueUpdateData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __BillerStatusData(TypedDict):
    object: BillerStatus


class _BillerStatusData(__BillerStatusData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class __WebhookEndpointData(TypedDict):
    object: WebhookEndpoint


class _WebhookEndpointData(__WebhookEndpointData, total=False):
    omitted: List[str]
    """Only in webhooks: fields of the object that were emptied, as the message would be
    larger than 20 kB. Fetch the object to see them.
    """


class TransactionAwaitingApprovalEvent(_EventCommon):
    type: Literal["transaction.awaiting_approval"]
    data: _TransactionData


class TransactionProcessingEvent(_EventCommon):
    type: Literal["transaction.processing"]
    data: _TransactionData


class TransactionSuccessfulEvent(_EventCommon):
    type: Literal["transaction.successful"]
    data: _TransactionData


class TransactionFailedEvent(_EventCommon):
    type: Literal["transaction.failed"]
    data: _TransactionData


class TransactionReversedEvent(_EventCommon):
    type: Literal["transaction.reversed"]
    data: _TransactionData


class TransactionCancelledEvent(_EventCommon):
    type: Literal["transaction.cancelled"]
    data: _TransactionData


class TransactionNeedsReviewEvent(_EventCommon):
    type: Literal["transaction.needs_review"]
    data: _TransactionData


class TransferSuccessfulEvent(_EventCommon):
    type: Literal["transfer.successful"]
    data: _TransferData


class ConversionSuccessfulEvent(_EventCommon):
    type: Literal["conversion.successful"]
    data: _ConversionData


class BatchValidatingEvent(_EventCommon):
    type: Literal["batch.validating"]
    data: _BatchData


class BatchScheduledEvent(_EventCommon):
    type: Literal["batch.scheduled"]
    data: _BatchData


class BatchRunningEvent(_EventCommon):
    type: Literal["batch.running"]
    data: _BatchData


class BatchProgressedEvent(_EventCommon):
    type: Literal["batch.progressed"]
    data: _BatchData


class BatchPausedEvent(_EventCommon):
    type: Literal["batch.paused"]
    data: _BatchData


class BatchCompletedEvent(_EventCommon):
    type: Literal["batch.completed"]
    data: _BatchData


class BatchInvalidEvent(_EventCommon):
    type: Literal["batch.invalid"]
    data: _BatchData


class BatchFailedEvent(_EventCommon):
    type: Literal["batch.failed"]
    data: _BatchData


class BatchCancelledEvent(_EventCommon):
    type: Literal["batch.cancelled"]
    data: _BatchData


class PaymentSuccessfulEvent(_EventCommon):
    type: Literal["payment.successful"]
    data: _PaymentData


class PaymentFailedEvent(_EventCommon):
    type: Literal["payment.failed"]
    data: _PaymentData


class PaymentExpiredEvent(_EventCommon):
    type: Literal["payment.expired"]
    data: _PaymentData


class PaymentCancelledEvent(_EventCommon):
    type: Literal["payment.cancelled"]
    data: _PaymentData


class PaymentPartiallyReversedEvent(_EventCommon):
    type: Literal["payment.partially_reversed"]
    data: _PaymentData


class PaymentReversedEvent(_EventCommon):
    type: Literal["payment.reversed"]
    data: _PaymentData


class PaymentNeedsReviewEvent(_EventCommon):
    type: Literal["payment.needs_review"]
    data: _PaymentData


class RefundAwaitingApprovalEvent(_EventCommon):
    type: Literal["refund.awaiting_approval"]
    data: _RefundData


class RefundProcessingEvent(_EventCommon):
    type: Literal["refund.processing"]
    data: _RefundData


class RefundSuccessfulEvent(_EventCommon):
    type: Literal["refund.successful"]
    data: _RefundData


class RefundFailedEvent(_EventCommon):
    type: Literal["refund.failed"]
    data: _RefundData


class RefundCancelledEvent(_EventCommon):
    type: Literal["refund.cancelled"]
    data: _RefundData


class RefundNeedsReviewEvent(_EventCommon):
    type: Literal["refund.needs_review"]
    data: _RefundData


class DepositReceivedEvent(_EventCommon):
    type: Literal["deposit.received"]
    data: _DepositData


class DepositNeedsReviewEvent(_EventCommon):
    type: Literal["deposit.needs_review"]
    data: _DepositData


class DepositReturnedEvent(_EventCommon):
    type: Literal["deposit.returned"]
    data: _DepositData


class CardIssuedEvent(_EventCommon):
    type: Literal["card.issued"]
    data: _CardData


class CardIssueFailedEvent(_EventCommon):
    type: Literal["card.issue_failed"]
    data: _CardData


class CardNeedsReviewEvent(_EventCommon):
    type: Literal["card.needs_review"]
    data: _CardData


class CardFundedEvent(_EventCommon):
    type: Literal["card.funded"]
    data: _CardData


class CardWithdrawnEvent(_EventCommon):
    type: Literal["card.withdrawn"]
    data: _CardData


class CardFrozenEvent(_EventCommon):
    type: Literal["card.frozen"]
    data: _CardData


class CardUnfrozenEvent(_EventCommon):
    type: Literal["card.unfrozen"]
    data: _CardData


class CardBlockedEvent(_EventCommon):
    type: Literal["card.blocked"]
    data: _CardData


class CardTerminatedEvent(_EventCommon):
    type: Literal["card.terminated"]
    data: _CardData


class CardExpiredEvent(_EventCommon):
    type: Literal["card.expired"]
    data: _CardData


class CardOverdrawnEvent(_EventCommon):
    type: Literal["card.overdrawn"]
    data: _CardData


class CardDeclineWarningEvent(_EventCommon):
    type: Literal["card.decline_warning"]
    data: _CardData


class CardAuthenticationCodeEvent(_EventCommon):
    type: Literal["card.authentication_code"]
    data: _CardAuthenticationData


class CardTransactionAuthorizedEvent(_EventCommon):
    type: Literal["card.transaction.authorized"]
    data: _CardTransactionData


class CardTransactionSettledEvent(_EventCommon):
    type: Literal["card.transaction.settled"]
    data: _CardTransactionData


class CardTransactionDeclinedEvent(_EventCommon):
    type: Literal["card.transaction.declined"]
    data: _CardTransactionData


class CardTransactionVoidedEvent(_EventCommon):
    type: Literal["card.transaction.voided"]
    data: _CardTransactionData


class CardTransactionExpiredEvent(_EventCommon):
    type: Literal["card.transaction.expired"]
    data: _CardTransactionData


class CardTransactionRefundedEvent(_EventCommon):
    type: Literal["card.transaction.refunded"]
    data: _CardTransactionData


class CustomerVerifiedEvent(_EventCommon):
    type: Literal["customer.verified"]
    data: _CustomerData


class CustomerRejectedEvent(_EventCommon):
    type: Literal["customer.rejected"]
    data: _CustomerData


class CustomerNeedsReviewEvent(_EventCommon):
    type: Literal["customer.needs_review"]
    data: _CustomerData


class DisputeOpenedEvent(_EventCommon):
    type: Literal["dispute.opened"]
    data: _DisputeData


class DisputeUnderReviewEvent(_EventCommon):
    type: Literal["dispute.under_review"]
    data: _DisputeData


class DisputeWonEvent(_EventCommon):
    type: Literal["dispute.won"]
    data: _DisputeData


class DisputeLostEvent(_EventCommon):
    type: Literal["dispute.lost"]
    data: _DisputeData


class DisputeWithdrawnEvent(_EventCommon):
    type: Literal["dispute.withdrawn"]
    data: _DisputeData


class DisputeNeedsReviewEvent(_EventCommon):
    type: Literal["dispute.needs_review"]
    data: _DisputeData


class WalletCreatedEvent(_EventCommon):
    type: Literal["wallet.created"]
    data: _WalletData


class WalletUpdatedEvent(_EventCommon):
    type: Literal["wallet.updated"]
    data: _WalletData


class WalletCreditedEvent(_EventCommon):
    type: Literal["wallet.credited"]
    data: _WalletData


class WalletLowBalanceEvent(_EventCommon):
    type: Literal["wallet.low_balance"]
    data: _WalletData


class WalletFrozenEvent(_EventCommon):
    type: Literal["wallet.frozen"]
    data: _WalletData


class WalletUnfrozenEvent(_EventCommon):
    type: Literal["wallet.unfrozen"]
    data: _WalletData


class WalletClosedEvent(_EventCommon):
    type: Literal["wallet.closed"]
    data: _WalletData


class DayClosedEvent(_EventCommon):
    type: Literal["day.closed"]
    data: EventData


class ReportReadyEvent(_EventCommon):
    type: Literal["report.ready"]
    data: _ReportData


class ReportFailedEvent(_EventCommon):
    type: Literal["report.failed"]
    data: _ReportData


class CatalogueUpdatedEvent(_EventCommon):
    type: Literal["catalogue.updated"]
    data: _CatalogueUpdateData


class BillerStatusChangedEvent(_EventCommon):
    type: Literal["biller.status_changed"]
    data: _BillerStatusData


class WebhookEndpointFailingEvent(_EventCommon):
    type: Literal["webhook_endpoint.failing"]
    data: _WebhookEndpointData


class WebhookEndpointDisabledEvent(_EventCommon):
    type: Literal["webhook_endpoint.disabled"]
    data: _WebhookEndpointData


class WebhookEndpointRecoveredEvent(_EventCommon):
    type: Literal["webhook_endpoint.recovered"]
    data: _WebhookEndpointData


class WebhookEndpointSecretRotatedEvent(_EventCommon):
    type: Literal["webhook_endpoint.secret_rotated"]
    data: _WebhookEndpointData


class WebhookEndpointTestEvent(_EventCommon):
    type: Literal["webhook_endpoint.test"]
    data: _WebhookEndpointData


Beneficiary = Union[
    BankAccountBeneficiary,
    PhoneBeneficiary,
    MeterBeneficiary,
    SmartcardBeneficiary,
    WalletBeneficiary,
]

DryRunTransaction = Union[
    TransferOutDryRunTransaction,
    TransferInDryRunTransaction,
    AirtimePurchaseDryRunTransaction,
    DataPurchaseDryRunTransaction,
    BillPaymentDryRunTransaction,
    PayoutDryRunTransaction,
    CardIssueDryRunTransaction,
    CardFundingDryRunTransaction,
    CardWithdrawalDryRunTransaction,
    CardFeeDryRunTransaction,
    PaymentDryRunTransaction,
    PaymentRefundDryRunTransaction,
    ConversionOutDryRunTransaction,
    ConversionInDryRunTransaction,
    DepositDryRunTransaction,
    ReversalDryRunTransaction,
]
"""What a dry run answers: Transaction"""

TimelineItem = Union[
    TransactionCreatedTimelineItem,
    LedgerEntryTimelineItem,
    ProviderChoiceTimelineItem,
    ProviderAttemptTimelineItem,
    ProviderAnswerTimelineItem,
    ProviderRequeryTimelineItem,
    ProviderCallbackTimelineItem,
    ReviewDecisionTimelineItem,
    EventTimelineItem,
    WebhookDeliveryTimelineItem,
    TransactionCompletedTimelineItem,
]

Transaction = Union[
    TransferOutTransaction,
    TransferInTransaction,
    AirtimePurchaseTransaction,
    DataPurchaseTransaction,
    BillPaymentTransaction,
    PayoutTransaction,
    CardIssueTransaction,
    CardFundingTransaction,
    CardWithdrawalTransaction,
    CardFeeTransaction,
    PaymentTransaction,
    PaymentRefundTransaction,
    ConversionOutTransaction,
    ConversionInTransaction,
    DepositTransaction,
    ReversalTransaction,
]

WebhookEvent = Union[
    TransactionAwaitingApprovalEvent,
    TransactionProcessingEvent,
    TransactionSuccessfulEvent,
    TransactionFailedEvent,
    TransactionReversedEvent,
    TransactionCancelledEvent,
    TransactionNeedsReviewEvent,
    TransferSuccessfulEvent,
    ConversionSuccessfulEvent,
    BatchValidatingEvent,
    BatchScheduledEvent,
    BatchRunningEvent,
    BatchProgressedEvent,
    BatchPausedEvent,
    BatchCompletedEvent,
    BatchInvalidEvent,
    BatchFailedEvent,
    BatchCancelledEvent,
    PaymentSuccessfulEvent,
    PaymentFailedEvent,
    PaymentExpiredEvent,
    PaymentCancelledEvent,
    PaymentPartiallyReversedEvent,
    PaymentReversedEvent,
    PaymentNeedsReviewEvent,
    RefundAwaitingApprovalEvent,
    RefundProcessingEvent,
    RefundSuccessfulEvent,
    RefundFailedEvent,
    RefundCancelledEvent,
    RefundNeedsReviewEvent,
    DepositReceivedEvent,
    DepositNeedsReviewEvent,
    DepositReturnedEvent,
    CardIssuedEvent,
    CardIssueFailedEvent,
    CardNeedsReviewEvent,
    CardFundedEvent,
    CardWithdrawnEvent,
    CardFrozenEvent,
    CardUnfrozenEvent,
    CardBlockedEvent,
    CardTerminatedEvent,
    CardExpiredEvent,
    CardOverdrawnEvent,
    CardDeclineWarningEvent,
    CardAuthenticationCodeEvent,
    CardTransactionAuthorizedEvent,
    CardTransactionSettledEvent,
    CardTransactionDeclinedEvent,
    CardTransactionVoidedEvent,
    CardTransactionExpiredEvent,
    CardTransactionRefundedEvent,
    CustomerVerifiedEvent,
    CustomerRejectedEvent,
    CustomerNeedsReviewEvent,
    DisputeOpenedEvent,
    DisputeUnderReviewEvent,
    DisputeWonEvent,
    DisputeLostEvent,
    DisputeWithdrawnEvent,
    DisputeNeedsReviewEvent,
    WalletCreatedEvent,
    WalletUpdatedEvent,
    WalletCreditedEvent,
    WalletLowBalanceEvent,
    WalletFrozenEvent,
    WalletUnfrozenEvent,
    WalletClosedEvent,
    DayClosedEvent,
    ReportReadyEvent,
    ReportFailedEvent,
    CatalogueUpdatedEvent,
    BillerStatusChangedEvent,
    WebhookEndpointFailingEvent,
    WebhookEndpointDisabledEvent,
    WebhookEndpointRecoveredEvent,
    WebhookEndpointSecretRotatedEvent,
    WebhookEndpointTestEvent,
]
"""An event by its `type`. Newer services may send types that are not known here."""
