/** A protection, and how to break it: `from`, which stands once in the file, becomes `to`. `test` must turn red. */
export interface Protection {
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly test: string;
}

/** One by one, what keeps money, keys and secrets safe. */
export const PROTECTIONS: readonly Protection[] = [
  // Who may do what.
  {
    what: 'a revoked key opens nothing (auth)',
    file: 'src/modules/accounts/api-keys.service.ts',
    from: 'if (key === null || key.revokedAt !== null) return null;',
    to: 'if (key === null) return null;',
    test: 'test/authorization.e2e-spec.ts',
  },
  {
    what: 'a key that expired opens nothing (auth)',
    file: 'src/modules/accounts/api-keys.service.ts',
    from: 'if (usable === null || (expiresAt && expiresAt.getTime() <= Date.now())) return null;',
    to: 'if (usable === null) return null;',
    test: 'test/authorization.e2e-spec.ts',
  },
  {
    what: 'a key is good from its addresses only',
    file: 'src/modules/accounts/api-key.guard.ts',
    from: 'if (usable === null || !isAllowedFrom(usable, request.ip)) throw new InvalidApiKey();',
    to: 'if (usable === null) throw new InvalidApiKey();',
    test: 'test/authorization.e2e-spec.ts',
  },
  {
    what: 'the scope of a route',
    file: 'src/modules/accounts/api-key.guard.ts',
    from: 'if (scope !== undefined && request.caller !== undefined) requireScope(request.caller, scope);',
    to: '',
    test: 'test/authorization.e2e-spec.ts',
  },
  {
    what: "a wallet is its own account's",
    file: 'src/modules/wallets/wallets.service.ts',
    from: 'wallet && wallet.accountId === owner.accountId && ',
    to: 'wallet && ',
    test: 'test/isolation.e2e-spec.ts',
  },
  {
    what: 'test and live are two worlds',
    file: 'src/modules/wallets/wallets.service.ts',
    from: ' && wallet.livemode === owner.livemode',
    to: '',
    test: 'test/isolation.e2e-spec.ts',
  },
  {
    what: 'a cursor belongs to its list',
    file: 'src/core/http/pages.ts',
    from: 'if (!this.seals.isOf(bytes.subarray(0, SEAL_BYTES), `${scope}\\n${text}`)) throw new InvalidCursor();',
    to: '',
    test: 'src/core/http/pages.spec.ts',
  },
  {
    what: 'another site cannot act for a person (CSRF)',
    file: 'src/modules/dashboard-api/people/sessions.guard.ts',
    from: 'throw new CrossSiteRequest();',
    to: '',
    test: 'test/dashboard-doors.e2e-spec.ts',
  },
  {
    what: 'step-up before live money and the team',
    file: 'src/modules/dashboard-api/people/sessions.guard.ts',
    from: '!WITHOUT.has(name)',
    to: 'false',
    test: 'test/hostile/step-up.e2e-spec.ts',
  },
  {
    what: 'a one-time code works once (TOTP replay)',
    file: 'src/modules/dashboard-api/people/totp.service.ts',
    from: 'AND totp_last_step < $2 RETURNING',
    to: 'RETURNING',
    test: 'test/dashboard-identity.e2e-spec.ts',
  },

  // What goes out, and what comes in from outside.
  {
    what: 'webhooks reach public addresses only (SSRF)',
    file: 'src/modules/webhooks/endpoints/url-policy.service.ts',
    from: 'if (!addresses.every(({ address }) => isPublicAddress(address))) throw',
    to: 'if (addresses.length === 0) throw',
    test: 'test/webhooks-ssrf.spec.ts',
  },
  {
    what: 'a forged callback is refused',
    file: 'src/modules/payments/sandbox/sandbox.provider.ts',
    from: "HEX_64.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), this.sign(gateway, body))",
    to: 'given.length > 0',
    test: 'test/payment-callbacks.e2e-spec.ts',
  },
  {
    what: 'spreadsheets run no formula (CSV)',
    file: 'src/core/http/csv.ts',
    from: 'escape_formulas: true',
    to: 'escape_formulas: false',
    test: 'src/core/http/csv.spec.ts',
  },
  {
    what: 'an allow-list names addresses exactly (CIDR)',
    file: 'src/core/text/ip-address.ts',
    from: 'if (bits !== undefined && !(BITS.test(bits) && Number(bits) <= max)) return null;',
    to: '',
    test: 'test/hostile/cidr.e2e-spec.ts',
  },
  {
    what: 'one connection cannot pile requests up',
    file: 'src/core/http/connections.ts',
    from: 'if (answering.unanswered.length < UNANSWERED_MAX) return false;',
    to: 'if (answering.unanswered.length < 100_000) return false;',
    test: 'test/hostile/pipelining.e2e-spec.ts',
  },
  {
    what: 'who hangs up is in the log',
    file: 'src/core/http/configure-http.ts',
    from: 'onHangUp: observer.hangUps.leave',
    to: 'onHangUp: () => undefined',
    test: 'test/hostile/hang-ups.e2e-spec.ts',
  },

  // Money.
  {
    what: 'no wallet goes below zero',
    file: 'src/modules/ledger/batch-plan.ts',
    from: "if (after < (bucket === 'available' ? lowestOf(account) : 0n))",
    to: 'if (after < -AMOUNT_MAX)',
    test: 'src/modules/ledger/batch-plan.spec.ts',
  },
  {
    what: 'a limit that was lowered below its use stops debits',
    file: 'src/modules/ledger/batch-plan.ts',
    from: 'available < -creditLimit ? available : -creditLimit;',
    to: 'available < -creditLimit ? -AMOUNT_MAX : -creditLimit;',
    test: 'src/modules/ledger/batch-plan.spec.ts',
  },
  {
    what: "another account's wallet may only be paid into",
    file: 'src/modules/ledger/batch-plan.ts',
    from: ' || (strange && amount < 0n)',
    to: '',
    test: 'src/modules/ledger/batch-plan.spec.ts',
  },
  {
    what: 'a hold is captured once',
    file: 'src/modules/ledger/batch-plan.ts',
    from: "if (hold.captured + hold.released + sum > hold.amount) return { reason: 'hold_exceeded', holdId: step.holdId };",
    to: '',
    test: 'src/modules/ledger/batch-plan.spec.ts',
  },
  {
    what: 'a frozen wallet does not pay',
    file: 'src/modules/ledger/batch-plan.ts',
    from: "if (amount < 0n) return isFrozen(freezes, 'debit', now) ? 'account_frozen' : null;",
    to: 'if (amount < 0n) return null;',
    test: 'test/wallets.e2e-spec.ts',
  },
  {
    what: 'one key, one request',
    file: 'src/core/idempotency/claims.ts',
    from: 'if (stored.fingerprint.equals(row.fingerprint)) return',
    to: 'if (stored) return',
    test: 'test/transfers.e2e-spec.ts',
  },
  {
    what: 'sent twice without a key counts once',
    file: 'src/core/idempotency/claims.ts',
    from: 'if (isAlike(stored, claim.likeness!)) return new LikelyDuplicate(stored);',
    to: '',
    test: 'test/look-alikes.e2e-spec.ts',
  },
  {
    what: 'what was delivered short is paid for as what it is (short delivery)',
    file: 'src/modules/purchases/purchase-run.ts',
    from: "const isShort = measure(before, result) === 'short';",
    to: "const isShort = measure(before, result) === 'short' && false;",
    test: 'test/scenarios.e2e-spec.ts',
  },
  {
    what: 'what a gateway gave back is taken once (double refund)',
    file: 'src/modules/payments/payment-run.ts',
    from: '.filter((one) => !reversals.some(({ reference }) => reference === one.gatewayReference))',
    to: '',
    test: 'test/payment-reversals.e2e-spec.ts',
  },
  {
    what: 'a forged word of a bank transfer is refused',
    file: 'src/modules/virtual-accounts/sandbox/sandbox.provider.ts',
    from: "HEX_64.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), this.sign(body))",
    to: 'given.length > 0',
    test: 'test/virtual-account-arrivals.e2e-spec.ts',
  },
  {
    what: 'a bank transfer is believed when the bank confirms it',
    file: 'src/modules/virtual-accounts/bank-client.ts',
    from: 'parse: (value) => asConfirmResult(value, deposit.providerReference),',
    to:
      "parse: () => ({ outcome: 'received', ...questionOf(deposit), amount: deposit.toldAmount, currency: " +
      "deposit.toldCurrency, payer: { name: '', bank: null, accountNumber: null }, sessionId: null, arrivedAt: new Date() }),",
    test: 'test/virtual-account-arrivals.e2e-spec.ts',
  },
  {
    what: 'a bank transfer is one deposit, by whomever it is told of',
    file: 'src/migrations/0059-virtual-accounts.ts',
    from: 'UNIQUE (account_id, livemode, provider, provider_reference)',
    to: 'UNIQUE (account_id, livemode, provider, provider_reference, id)',
    test: 'test/virtual-account-arrivals.e2e-spec.ts',
  },
  {
    what: 'a deposit is credited by one process',
    file: 'src/modules/virtual-accounts/deposit-store.ts',
    from: "  was: ['version'],",
    to: '  was: [],',
    test: 'test/virtual-account-arrivals.e2e-spec.ts',
  },
  {
    what: 'refunds never exceed what was received (refunds)',
    file: 'src/modules/payments/refunds/refunds.service.ts',
    from: 'if (refundableOf(payment) < terms.amount) throw',
    to: 'if (payment.amount < terms.amount) throw',
    test: 'test/refund-outcomes.e2e-spec.ts',
  },
  {
    what: 'a refund that a gateway tells of is no reversal (refunds)',
    file: 'src/modules/payments/refunds/refund-run.ts',
    from: '.filter((one) => !made.some((refund) => isAbout(one, refund)))',
    to: '',
    test: 'test/refund-outcomes.e2e-spec.ts',
  },
  {
    what: 'a reversal that may be a refund of ours waits (refunds)',
    file: 'src/modules/payments/refunds/refund-run.ts',
    from: 'isOpen: isNew && refunds.some(',
    to: 'isOpen: false && isNew && refunds.some(',
    test: 'test/refund-outcomes.e2e-spec.ts',
  },
  {
    what: 'a refund of another amount is for a person (refunds)',
    file: 'src/modules/payments/refunds/refund-run.ts',
    from: 'if (amount !== refund.amount)',
    to: 'if (false)',
    test: 'test/refund-outcomes.e2e-spec.ts',
  },
  {
    what: 'a review above the threshold takes two people',
    file: 'src/providers/reviews.ts',
    from: 'last.filter((one) => one.userId !== userId && ',
    to: 'last.filter((one) => ',
    test: 'test/reviews.e2e-spec.ts',
  },
  {
    what: 'the debt of a card is paid once (loads at once)',
    file: 'src/modules/cards/cards.service.ts',
    from: "where: 't.status = v.status AND t.debt = v.debt_before'",
    to: "where: 't.status = v.status'",
    test: 'test/card-concurrency.e2e-spec.ts',
  },
  {
    what: 'a wallet that is frozen pays for no card',
    file: 'src/modules/ledger/batch-plan.ts',
    from: "if (isFrozen(giver.freezes, 'debit', now)) return 0n;",
    to: '',
    test: 'test/card-overdrafts.e2e-spec.ts',
  },
  {
    what: 'the chain of seals is checked',
    file: 'src/modules/ledger/ledger-checks.ts',
    from: 'OR chain <> sha256(previous || uuid_send(id) || digest)',
    to: '',
    test: 'test/seal.e2e-spec.ts',
  },
  {
    what: 'an event keeps its bytes (snapshot)',
    file: 'src/core/resources/resources.ts',
    from: '{ ...object, ...options?.at?.snapshot }',
    to: 'object',
    test: 'test/event-history.e2e-spec.ts',
  },
  {
    what: 'a payment that was told as refused is not made (limits that count)',
    file: 'src/core/extension/extensions.ts',
    from: "{ name: 'close_refusal_notes', mustMatch: true }",
    to: "{ name: 'close_refusal_notes' }",
    test: 'test/extensions-refusals.e2e-spec.ts',
  },
  {
    what: 'what is given back too early is not counted later (limits that count)',
    file: 'src/core/extension/reservations.ts',
    from: "VALUES ($1, $2, $3, '', 0, 'released')",
    to: "SELECT $1, $2, $3, '', 0, 'released' WHERE EXISTS (SELECT FROM ${table}_reservations WHERE ${payment})",
    test: 'test/guide-limit.e2e-spec.ts',
  },
];
