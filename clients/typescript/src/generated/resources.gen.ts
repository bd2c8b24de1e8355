// Made by generate.mjs from docs/api/openapi.json and docs/errors.md.
import type { CallOptions, Client, DryRun, ItemOf, Query, WaitOptions, Wet } from '../client.js';
import type { Pages } from '../pages.js';
import type * as t from './types.gen.js';

export const VERSION = '0.1.0';

/** Codes of errors that a key can meet; there may be more. */
export type ErrorCode =
  | 'validation_failed'
  | 'unknown_field'
  | 'invalid_json'
  | 'malformed_request'
  | 'amount_not_integer'
  | 'amount_out_of_range'
  | 'idempotency_key_required'
  | 'invalid_phone_number'
  | 'invalid_account_number'
  | 'invalid_csv'
  | 'invalid_cursor'
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'metrics_token_required'
  | 'invalid_signature'
  | 'insufficient_funds'
  | 'limit_exceeded'
  | 'account_frozen'
  | 'insufficient_scope'
  | 'forbidden'
  | 'key_mode_mismatch'
  | 'live_mode_not_enabled'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'duplicate_reference'
  | 'likely_duplicate'
  | 'request_in_progress'
  | 'wallet_frozen'
  | 'wallet_closed'
  | 'invalid_state_transition'
  | 'quote_expired'
  | 'quote_used'
  | 'price_changed'
  | 'plan_inactive'
  | 'validation_expired'
  | 'cardholder_too_young'
  | 'invalid_identity_number'
  | 'card_not_active'
  | 'card_overdrawn'
  | 'customer_anonymized'
  | 'card_amount_exceeded'
  | 'nothing_to_trigger'
  | 'report_link_gone'
  | 'reveal_gone'
  | 'already_member'
  | 'last_owner'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'price_moves_too_far'
  | 'not_ready_for_live'
  | 'idempotency_key_reused'
  | 'account_not_found'
  | 'name_mismatch'
  | 'beneficiary_kind_mismatch'
  | 'refund_exceeds_payment'
  | 'refund_not_supported'
  | 'customer_not_verified'
  | 'dispute_exceeds_transaction'
  | 'dispute_not_supported'
  | 'quote_amount_mismatch'
  | 'same_wallet'
  | 'currency_mismatch'
  | 'network_not_detected'
  | 'network_mismatch'
  | 'customer_not_found'
  | 'validation_mismatch'
  | 'blocked_by_hook'
  | 'too_many_rows'
  | 'replay_too_large'
  | 'not_sellable'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'rate_unavailable'
  | 'provider_unavailable'
  | 'service_unavailable';

/** What the object of an event is, by the type of the event. */
export interface EventObjects {
  'transaction.awaiting_approval': t.Transaction;
  'transaction.processing': t.Transaction;
  'transaction.successful': t.Transaction;
  'transaction.failed': t.Transaction;
  'transaction.reversed': t.Transaction;
  'transaction.cancelled': t.Transaction;
  'transaction.needs_review': t.Transaction;
  'transfer.successful': t.Transfer;
  'conversion.successful': t.Conversion;
  'batch.validating': t.Batch;
  'batch.scheduled': t.Batch;
  'batch.running': t.Batch;
  'batch.progressed': t.Batch;
  'batch.paused': t.Batch;
  'batch.completed': t.Batch;
  'batch.invalid': t.Batch;
  'batch.failed': t.Batch;
  'batch.cancelled': t.Batch;
  'payment.successful': t.Payment;
  'payment.failed': t.Payment;
  'payment.expired': t.Payment;
  'payment.cancelled': t.Payment;
  'payment.partially_reversed': t.Payment;
  'payment.reversed': t.Payment;
  'payment.needs_review': t.Payment;
  'refund.awaiting_approval': t.Refund;
  'refund.processing': t.Refund;
  'refund.successful': t.Refund;
  'refund.failed': t.Refund;
  'refund.cancelled': t.Refund;
  'refund.needs_review': t.Refund;
  'deposit.received': t.Deposit;
  'deposit.needs_review': t.Deposit;
  'deposit.returned': t.Deposit;
  'card.issued': t.Card;
  'card.issue_failed': t.Card;
  'card.needs_review': t.Card;
  'card.funded': t.Card;
  'card.withdrawn': t.Card;
  'card.frozen': t.Card;
  'card.unfrozen': t.Card;
  'card.blocked': t.Card;
  'card.terminated': t.Card;
  'card.expired': t.Card;
  'card.overdrawn': t.Card;
  'card.decline_warning': t.Card;
  'card.authentication_code': t.CardAuthentication;
  'card.transaction.authorized': t.CardTransaction;
  'card.transaction.settled': t.CardTransaction;
  'card.transaction.declined': t.CardTransaction;
  'card.transaction.voided': t.CardTransaction;
  'card.transaction.expired': t.CardTransaction;
  'card.transaction.refunded': t.CardTransaction;
  'customer.verified': t.Customer;
  'customer.rejected': t.Customer;
  'customer.needs_review': t.Customer;
  'dispute.opened': t.Dispute;
  'dispute.under_review': t.Dispute;
  'dispute.won': t.Dispute;
  'dispute.lost': t.Dispute;
  'dispute.withdrawn': t.Dispute;
  'dispute.needs_review': t.Dispute;
  'wallet.created': t.Wallet;
  'wallet.updated': t.Wallet;
  'wallet.credited': t.Wallet;
  'wallet.low_balance': t.Wallet;
  'wallet.frozen': t.Wallet;
  'wallet.unfrozen': t.Wallet;
  'wallet.closed': t.Wallet;
  'day.closed': Record<string, unknown>;
  'report.ready': t.Report;
  'report.failed': t.Report;
  'catalogue.updated': t.CatalogueUpdate;
  'biller.status_changed': t.BillerStatus;
  'webhook_endpoint.failing': t.WebhookEndpoint;
  'webhook_endpoint.disabled': t.WebhookEndpoint;
  'webhook_endpoint.recovered': t.WebhookEndpoint;
  'webhook_endpoint.secret_rotated': t.WebhookEndpoint;
  'webhook_endpoint.test': t.WebhookEndpoint;
}

const part = encodeURIComponent;

abstract class Resource {
  constructor(protected readonly client: Client) {}
}

export class Payments extends Resource {
  /** List payments, newest first. `GET /api/v1/payments` */
  list(query?: Query<t.ListPaymentsData['query']>, options?: CallOptions): Pages<ItemOf<t.PaymentList>> {
    return this.client.pages(`/api/v1/payments`, { query, options });
  }

  /** Ask somebody to pay into one of your wallets. `POST /api/v1/payments` */
  create(body: Wet<t.CreatePayment>, options: CallOptions & DryRun): Promise<t.DryRunPayment>;
  create(body: Wet<t.CreatePayment>, options?: CallOptions): Promise<t.Payment>;
  create(body: Wet<t.CreatePayment>, options?: CallOptions): Promise<unknown> {
    return this.client.call('POST', `/api/v1/payments`, { body, options });
  }

  /** Fetch a payment. `GET /api/v1/payments/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Payment> {
    return this.client.call('GET', `/api/v1/payments/${part(id)}`, { options });
  }

  /** Cancel a payment that nobody has paid yet. `POST /api/v1/payments/{id}/cancel` */
  cancel(id: string, options?: CallOptions): Promise<t.Payment> {
    return this.client.call('POST', `/api/v1/payments/${part(id)}/cancel`, { options });
  }

  /** List the refunds of a payment, newest first. `GET /api/v1/payments/{id}/refunds` */
  listRefunds(id: string, query?: Query<t.ListPaymentRefundsData['query']>, options?: CallOptions): Pages<ItemOf<t.RefundList>> {
    return this.client.pages(`/api/v1/payments/${part(id)}/refunds`, { query, options });
  }

  /** Give a payment back to its payer, or a part of it. `POST /api/v1/payments/{id}/refunds` */
  createRefund(id: string, body: Wet<t.CreateRefund>, options: WaitOptions & DryRun): Promise<t.DryRunRefund>;
  createRefund(id: string, body: Wet<t.CreateRefund>, options?: WaitOptions): Promise<t.Refund>;
  createRefund(id: string, body: Wet<t.CreateRefund>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/api/v1/payments/${part(id)}/refunds`, { body, options });
  }

  /** Check the status of a payment. `GET /api/v1/payments/{id}/status` */
  getStatus(id: string, options?: CallOptions): Promise<t.PaymentStatus> {
    return this.client.call('GET', `/api/v1/payments/${part(id)}/status`, { options });
  }
}

export class Refunds extends Resource {
  /** List refunds, newest first. `GET /api/v1/refunds` */
  list(query?: Query<t.ListRefundsData['query']>, options?: CallOptions): Pages<ItemOf<t.RefundList>> {
    return this.client.pages(`/api/v1/refunds`, { query, options });
  }

  /** Fetch a refund. `GET /api/v1/refunds/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Refund> {
    return this.client.call('GET', `/api/v1/refunds/${part(id)}`, { options });
  }
}

export class Account extends Resource {
  /** Fetch the account behind the key: name, mode, wallets and limits. `GET /v4/account` */
  get(options?: CallOptions): Promise<t.Account> {
    return this.client.call('GET', `/v4/account`, { options });
  }
}

export class Airtime extends Resource {
  /** List the mobile networks, by country and slug. `GET /v4/airtime/networks` */
  listNetworks(query?: Query<t.ListAirtimeNetworksData['query']>, options?: CallOptions): Promise<t.NetworkList> {
    return this.client.call('GET', `/v4/airtime/networks`, { query, options });
  }

  /** Send airtime to a phone. `POST /v4/airtime/purchase` */
  purchase(body: Wet<t.BuyAirtime>, options: WaitOptions & DryRun): Promise<t.DryRunTransaction>;
  purchase(body: Wet<t.BuyAirtime>, options?: WaitOptions): Promise<t.Transaction>;
  purchase(body: Wet<t.BuyAirtime>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/airtime/purchase`, { body, options });
  }
}

export class Banks extends Resource {
  /** List the banks that money can be sent to, by code. `GET /v4/banks` */
  list(query?: Query<t.ListBanksData['query']>, options?: CallOptions): Pages<ItemOf<t.BankList>> {
    return this.client.pages(`/v4/banks`, { query, options });
  }

  /** Ask a bank whose account it is, before paying. `POST /v4/banks/resolve` */
  resolve(body: t.ResolveAccount, options?: CallOptions): Promise<t.BankResolution> {
    return this.client.call('POST', `/v4/banks/resolve`, { body, options });
  }
}

export class Batches extends Resource {
  /** List batches, newest first. `GET /v4/batches` */
  list(query?: Query<t.ListBatchesData['query']>, options?: CallOptions): Pages<ItemOf<t.BatchList>> {
    return this.client.pages(`/v4/batches`, { query, options });
  }

  /** Place up to 10,000 orders at once. `POST /v4/batches` */
  create(body: Wet<t.CreateBatch>, options: WaitOptions & DryRun): Promise<t.Batch>;
  create(body: Wet<t.CreateBatch>, options?: WaitOptions): Promise<t.Batch>;
  create(body: Wet<t.CreateBatch>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/batches`, { body, options });
  }

  /** Fetch a batch. `GET /v4/batches/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Batch> {
    return this.client.call('GET', `/v4/batches/${part(id)}`, { options });
  }

  /** Begin no further row of a batch, for good. `POST /v4/batches/{id}/cancel` */
  cancel(id: string, options?: CallOptions): Promise<t.Batch> {
    return this.client.call('POST', `/v4/batches/${part(id)}/cancel`, { options });
  }

  /** List the rows of a batch, in their order. `GET /v4/batches/{id}/items` */
  listItems(id: string, query?: Query<t.ListBatchItemsData['query']>, options?: CallOptions): Pages<ItemOf<t.BatchItemList>> {
    return this.client.pages(`/v4/batches/${part(id)}/items`, { query, options });
  }

  /** Begin no further row until the batch is resumed. `POST /v4/batches/{id}/pause` */
  pause(id: string, options?: CallOptions): Promise<t.Batch> {
    return this.client.call('POST', `/v4/batches/${part(id)}/pause`, { options });
  }

  /** Go on with a batch that was paused. `POST /v4/batches/{id}/resume` */
  resume(id: string, options?: CallOptions): Promise<t.Batch> {
    return this.client.call('POST', `/v4/batches/${part(id)}/resume`, { options });
  }
}

export class Beneficiaries extends Resource {
  /** List beneficiaries, newest first. `GET /v4/beneficiaries` */
  list(query?: Query<t.ListBeneficiariesData['query']>, options?: CallOptions): Pages<ItemOf<t.BeneficiaryList>> {
    return this.client.pages(`/v4/beneficiaries`, { query, options });
  }

  /** Keep somebody whom you pay again and again. `POST /v4/beneficiaries` */
  create(body: t.CreateBeneficiary, options?: CallOptions): Promise<t.Beneficiary> {
    return this.client.call('POST', `/v4/beneficiaries`, { body, options });
  }

  /** Fetch a beneficiary. `GET /v4/beneficiaries/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Beneficiary> {
    return this.client.call('GET', `/v4/beneficiaries/${part(id)}`, { options });
  }

  /** Change the label or metadata of a beneficiary. `PATCH /v4/beneficiaries/{id}` */
  update(id: string, body: t.UpdateBeneficiary, options?: CallOptions): Promise<t.Beneficiary> {
    return this.client.call('PATCH', `/v4/beneficiaries/${part(id)}`, { body, options });
  }

  /** Delete a beneficiary: nothing is paid to it any more. `DELETE /v4/beneficiaries/{id}` */
  delete(id: string, options?: CallOptions): Promise<t.Beneficiary> {
    return this.client.call('DELETE', `/v4/beneficiaries/${part(id)}`, { options });
  }
}

export class Bills extends Resource {
  /** List billers by their codes. `GET /v4/bills/billers` */
  listBillers(query?: Query<t.ListBillersData['query']>, options?: CallOptions): Pages<ItemOf<t.BillerList>> {
    return this.client.pages(`/v4/bills/billers`, { query, options });
  }

  /** List what a biller sells. `GET /v4/bills/billers/{code}/items` */
  listBillerItems(code: string, query?: Query<t.ListBillerItemsData['query']>, options?: CallOptions): Pages<ItemOf<t.BillerItemList>> {
    return this.client.pages(`/v4/bills/billers/${part(code)}/items`, { query, options });
  }

  /** List the categories of billers. `GET /v4/bills/categories` */
  listCategories(options?: CallOptions): Promise<t.BillCategoryList> {
    return this.client.call('GET', `/v4/bills/categories`, { options });
  }

  /** Pay a bill, or buy a meter token, a package or PINs. `POST /v4/bills/pay` */
  pay(body: Wet<t.PayBill>, options: WaitOptions & DryRun): Promise<t.DryRunTransaction>;
  pay(body: Wet<t.PayBill>, options?: WaitOptions): Promise<t.Transaction>;
  pay(body: Wet<t.PayBill>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/bills/pay`, { body, options });
  }

  /** Ask a biller who a customer is, before paying. `POST /v4/bills/validate` */
  validate(body: t.ValidateCustomer, options?: CallOptions): Promise<t.BillValidation> {
    return this.client.call('POST', `/v4/bills/validate`, { body, options });
  }
}

export class CardTransactions extends Resource {
  /** Dispute what was paid by card, or a part of it. `POST /v4/card-transactions/{id}/disputes` */
  createDispute(id: string, body: Wet<t.CreateDispute>, options: WaitOptions & DryRun): Promise<t.Dispute>;
  createDispute(id: string, body: Wet<t.CreateDispute>, options?: WaitOptions): Promise<t.Dispute>;
  createDispute(id: string, body: Wet<t.CreateDispute>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/card-transactions/${part(id)}/disputes`, { body, options });
  }
}

export class Cards extends Resource {
  /** List cards, newest first. `GET /v4/cards` */
  list(query?: Query<t.ListCardsData['query']>, options?: CallOptions): Pages<ItemOf<t.CardList>> {
    return this.client.pages(`/v4/cards`, { query, options });
  }

  /** Fetch the address that is asked about authorizations, and how it did. `GET /v4/cards/authorization-endpoint` */
  getAuthorizationEndpoint(options?: CallOptions): Promise<t.AuthorizationEndpoint> {
    return this.client.call('GET', `/v4/cards/authorization-endpoint`, { options });
  }

  /** Decide about authorizations yourself: register the address that is asked, or change it. `PUT /v4/cards/authorization-endpoint` */
  putAuthorizationEndpoint(body: t.PutAuthorizationEndpoint, options?: CallOptions): Promise<t.AuthorizationEndpoint> {
    return this.client.call('PUT', `/v4/cards/authorization-endpoint`, { body, options });
  }

  /** Ask nobody about authorizations any more. `DELETE /v4/cards/authorization-endpoint` */
  deleteAuthorizationEndpoint(options?: CallOptions): Promise<t.AuthorizationEndpoint> {
    return this.client.call('DELETE', `/v4/cards/authorization-endpoint`, { options });
  }

  /** Issue a virtual card. `POST /v4/cards/issue` */
  issue(body: Wet<t.IssueCard>, options: WaitOptions & DryRun): Promise<t.DryRunCard>;
  issue(body: Wet<t.IssueCard>, options?: WaitOptions): Promise<t.Card>;
  issue(body: Wet<t.IssueCard>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/cards/issue`, { body, options });
  }

  /** Fetch a card and its balance. `GET /v4/cards/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Card> {
    return this.client.call('GET', `/v4/cards/${part(id)}`, { options });
  }

  /** Change the label, metadata or spending controls of a card. `PATCH /v4/cards/{id}` */
  update(id: string, body: t.UpdateCard, options?: CallOptions): Promise<t.Card> {
    return this.client.call('PATCH', `/v4/cards/${part(id)}`, { body, options });
  }

  /** Freeze a card: it declines everything until it is unfrozen. `POST /v4/cards/{id}/freeze` */
  freeze(id: string, options?: CallOptions): Promise<t.Card> {
    return this.client.call('POST', `/v4/cards/${part(id)}/freeze`, { options });
  }

  /** Put money from a wallet onto a card. `POST /v4/cards/{id}/fund` */
  fund(id: string, body: Wet<t.FundCard>, options: CallOptions & DryRun): Promise<t.DryRunTransaction>;
  fund(id: string, body: Wet<t.FundCard>, options?: CallOptions): Promise<t.Transaction>;
  fund(id: string, body: Wet<t.FundCard>, options?: CallOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/cards/${part(id)}/fund`, { body, options });
  }

  /** Make a link that shows number, expiry and CVV of an active card once, within 60 seconds. `POST /v4/cards/{id}/reveal` */
  reveal(id: string, options?: CallOptions): Promise<t.CardReveal> {
    return this.client.call('POST', `/v4/cards/${part(id)}/reveal`, { options });
  }

  /** End a card for good; what is on it goes back to the wallet that paid it. `POST /v4/cards/{id}/terminate` */
  terminate(id: string, options?: CallOptions): Promise<t.Card> {
    return this.client.call('POST', `/v4/cards/${part(id)}/terminate`, { options });
  }

  /** List what happened on a card, newest first. `GET /v4/cards/{id}/transactions` */
  listTransactions(id: string, query?: Query<t.ListCardTransactionsData['query']>, options?: CallOptions): Pages<ItemOf<t.CardTransactionList>> {
    return this.client.pages(`/v4/cards/${part(id)}/transactions`, { query, options });
  }

  /** List every change of a card's state, with who did it and why, newest first. `GET /v4/cards/{id}/transitions` */
  listTransitions(id: string, query?: Query<t.ListCardTransitionsData['query']>, options?: CallOptions): Pages<ItemOf<t.CardTransitionList>> {
    return this.client.pages(`/v4/cards/${part(id)}/transitions`, { query, options });
  }

  /** Let a frozen card pay again. `POST /v4/cards/{id}/unfreeze` */
  unfreeze(id: string, options?: CallOptions): Promise<t.Card> {
    return this.client.call('POST', `/v4/cards/${part(id)}/unfreeze`, { options });
  }

  /** Take money from a card back into a wallet. `POST /v4/cards/{id}/withdraw` */
  withdraw(id: string, body: Wet<t.MoveCardMoney>, options: CallOptions & DryRun): Promise<t.DryRunTransaction>;
  withdraw(id: string, body: Wet<t.MoveCardMoney>, options?: CallOptions): Promise<t.Transaction>;
  withdraw(id: string, body: Wet<t.MoveCardMoney>, options?: CallOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/cards/${part(id)}/withdraw`, { body, options });
  }
}

export class Conversions extends Resource {
  /** List conversions, newest first. `GET /v4/conversions` */
  list(query?: Query<t.ListConversionsData['query']>, options?: CallOptions): Pages<ItemOf<t.ConversionList>> {
    return this.client.pages(`/v4/conversions`, { query, options });
  }

  /** Convert money between two of your wallets, as a quote says. `POST /v4/conversions` */
  create(body: Wet<t.CreateConversion>, options: CallOptions & DryRun): Promise<t.DryRunConversion>;
  create(body: Wet<t.CreateConversion>, options?: CallOptions): Promise<t.Conversion>;
  create(body: Wet<t.CreateConversion>, options?: CallOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/conversions`, { body, options });
  }

  /** Fetch a conversion. `GET /v4/conversions/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Conversion> {
    return this.client.call('GET', `/v4/conversions/${part(id)}`, { options });
  }
}

export class Customers extends Resource {
  /** List cardholders, newest first. `GET /v4/customers` */
  list(query?: Query<t.ListCustomersData['query']>, options?: CallOptions): Pages<ItemOf<t.CustomerList>> {
    return this.client.pages(`/v4/customers`, { query, options });
  }

  /** Register a cardholder. `POST /v4/customers` */
  create(body: t.CreateCustomer, options?: CallOptions): Promise<t.Customer> {
    return this.client.call('POST', `/v4/customers`, { body, options });
  }

  /** Fetch a cardholder. `GET /v4/customers/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Customer> {
    return this.client.call('GET', `/v4/customers/${part(id)}`, { options });
  }

  /** Change what is known of a cardholder. `PATCH /v4/customers/{id}` */
  update(id: string, body: t.UpdateCustomer, options?: CallOptions): Promise<t.Customer> {
    return this.client.call('PATCH', `/v4/customers/${part(id)}`, { body, options });
  }

  /** Find out whether a cardholder is who they say. `POST /v4/customers/{id}/verify` */
  verify(id: string, body: Wet<t.VerifyCustomer>, options: WaitOptions & DryRun): Promise<t.Customer>;
  verify(id: string, body: Wet<t.VerifyCustomer>, options?: WaitOptions): Promise<t.Customer>;
  verify(id: string, body: Wet<t.VerifyCustomer>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/customers/${part(id)}/verify`, { body, options });
  }
}

export class Data extends Resource {
  /** List the data plans on sale, by code. `GET /v4/data/plans` */
  listPlans(query?: Query<t.ListDataPlansData['query']>, options?: CallOptions): Pages<ItemOf<t.DataPlanList>> {
    return this.client.pages(`/v4/data/plans`, { query, options });
  }

  /** Send a data plan to a phone. `POST /v4/data/purchase` */
  purchase(body: Wet<t.BuyData>, options: WaitOptions & DryRun): Promise<t.DryRunTransaction>;
  purchase(body: Wet<t.BuyData>, options?: WaitOptions): Promise<t.Transaction>;
  purchase(body: Wet<t.BuyData>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/data/purchase`, { body, options });
  }
}

export class Deposits extends Resource {
  /** List what arrived at virtual accounts, newest first. `GET /v4/deposits` */
  list(query?: Query<t.ListDepositsData['query']>, options?: CallOptions): Pages<ItemOf<t.DepositList>> {
    return this.client.pages(`/v4/deposits`, { query, options });
  }

  /** Fetch a deposit. `GET /v4/deposits/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Deposit> {
    return this.client.call('GET', `/v4/deposits/${part(id)}`, { options });
  }
}

export class Disputes extends Resource {
  /** List disputes, newest first. `GET /v4/disputes` */
  list(query?: Query<t.ListDisputesData['query']>, options?: CallOptions): Pages<ItemOf<t.DisputeList>> {
    return this.client.pages(`/v4/disputes`, { query, options });
  }

  /** Fetch a dispute. `GET /v4/disputes/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Dispute> {
    return this.client.call('GET', `/v4/disputes/${part(id)}`, { options });
  }

  /** Ask the issuer to let a dispute go. `POST /v4/disputes/{id}/withdraw` */
  withdraw(id: string, options?: WaitOptions): Promise<t.Dispute> {
    return this.client.call('POST', `/v4/disputes/${part(id)}/withdraw`, { options });
  }
}

export class Events extends Resource {
  /** List events, newest first, or follow them in the order of commits. `GET /v4/events` */
  list(query?: Query<t.ListEventsData['query']>, options?: WaitOptions): Pages<ItemOf<t.EventList>> {
    return this.client.pages(`/v4/events`, { query, options });
  }

  /** Fetch an event. `GET /v4/events/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Event> {
    return this.client.call('GET', `/v4/events/${part(id)}`, { options });
  }

  /** List the deliveries of an event to all webhook endpoints, newest first. `GET /v4/events/{id}/deliveries` */
  listDeliveries(id: string, query?: Query<t.ListEventDeliveriesData['query']>, options?: CallOptions): Pages<ItemOf<t.DeliveryDetailsList>> {
    return this.client.pages(`/v4/events/${part(id)}/deliveries`, { query, options });
  }
}

export class Idempotency extends Resource {
  /** What became of an idempotency key. `GET /v4/idempotency/{key}` */
  get(key: string, options?: CallOptions): Promise<t.Resend> {
    return this.client.call('GET', `/v4/idempotency/${part(key)}`, { options });
  }
}

export class Payouts extends Resource {
  /** List payouts, newest first. `GET /v4/payouts` */
  list(query?: Query<t.ListPayoutsData['query']>, options?: CallOptions): Pages<ItemOf<t.TransactionList>> {
    return this.client.pages(`/v4/payouts`, { query, options });
  }

  /** Send money to a bank account. `POST /v4/payouts` */
  create(body: Wet<t.CreatePayout>, options: WaitOptions & DryRun): Promise<t.DryRunTransaction>;
  create(body: Wet<t.CreatePayout>, options?: WaitOptions): Promise<t.Transaction>;
  create(body: Wet<t.CreatePayout>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/payouts`, { body, options });
  }

  /** Fetch a payout by its id or by your reference. `GET /v4/payouts/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Transaction> {
    return this.client.call('GET', `/v4/payouts/${part(id)}`, { options });
  }
}

export class Phone extends Resource {
  /** Tell the network of a phone number. `GET /v4/phone/lookup` */
  lookUp(query: Query<t.LookUpPhoneData['query']>, options?: CallOptions): Promise<t.PhoneLookup> {
    return this.client.call('GET', `/v4/phone/lookup`, { query, options });
  }
}

export class Quotes extends Resource {
  /** Have the price of a conversion promised for a minute. `POST /v4/quotes` */
  create(body: t.CreateQuote, options?: CallOptions): Promise<t.Quote> {
    return this.client.call('POST', `/v4/quotes`, { body, options });
  }

  /** Fetch a quote. `GET /v4/quotes/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Quote> {
    return this.client.call('GET', `/v4/quotes/${part(id)}`, { options });
  }
}

export class Rates extends Resource {
  /** List what currencies are quoted at now. `GET /v4/rates` */
  list(query?: Query<t.ListRatesData['query']>, options?: CallOptions): Promise<t.RateList> {
    return this.client.call('GET', `/v4/rates`, { query, options });
  }
}

export class References extends Resource {
  /** What became of a reference. `GET /v4/references/{reference}` */
  get(reference: string, options?: CallOptions): Promise<t.Resend> {
    return this.client.call('GET', `/v4/references/${part(reference)}`, { options });
  }
}

export class Reports extends Resource {
  /** List reports, newest first. `GET /v4/reports` */
  list(query?: Query<t.ListReportsData['query']>, options?: CallOptions): Pages<ItemOf<t.ReportList>> {
    return this.client.pages(`/v4/reports`, { query, options });
  }

  /** Have the lines of all wallets for a period made into a file. `POST /v4/reports` */
  create(body: t.CreateReport, options?: WaitOptions): Promise<t.Report> {
    return this.client.call('POST', `/v4/reports`, { body, options });
  }

  /** Fetch a report. `GET /v4/reports/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Report> {
    return this.client.call('GET', `/v4/reports/${part(id)}`, { options });
  }

  /** Make a link to the file of a report that is good for 15 minutes, without a key. `POST /v4/reports/{id}/link` */
  createLink(id: string, options?: CallOptions): Promise<t.ReportLink> {
    return this.client.call('POST', `/v4/reports/${part(id)}/link`, { options });
  }
}

export class RequestLogs extends Resource {
  /** List the requests of the account's keys, newest first. `GET /v4/request-logs` */
  list(query?: Query<t.ListRequestLogsData['query']>, options?: CallOptions): Pages<ItemOf<t.RequestLogList>> {
    return this.client.pages(`/v4/request-logs`, { query, options });
  }

  /** Get a request of the log. `GET /v4/request-logs/{id}` */
  get(id: string, options?: CallOptions): Promise<t.RequestLog> {
    return this.client.call('GET', `/v4/request-logs/${part(id)}`, { options });
  }
}

export class Sandbox extends Resource {
  /** Have the card's issuer ask for a code of one time (3-D Secure). `POST /v4/sandbox/cards/{id}/authenticate` */
  simulateCardAuthentication(id: string, body: t.AuthenticateCard, options?: CallOptions): Promise<t.CardAuthentication> {
    return this.client.call('POST', `/v4/sandbox/cards/${part(id)}/authenticate`, { body, options });
  }

  /** Play the card network: authorize, clear, void, refund, decline or charge a fee. `POST /v4/sandbox/cards/{id}/simulate` */
  simulateCardTransaction(id: string, body: t.SimulateCard, options?: CallOptions): Promise<t.CardTransaction> {
    return this.client.call('POST', `/v4/sandbox/cards/${part(id)}/simulate`, { body, options });
  }

  /** Read the clock of your test mode. `GET /v4/sandbox/clock` */
  getClock(options?: CallOptions): Promise<t.SandboxClock> {
    return this.client.call('GET', `/v4/sandbox/clock`, { options });
  }

  /** Move the clock of your test mode forward, and do what became due. `POST /v4/sandbox/clock/advance` */
  advanceClock(body: t.AdvanceClock, options?: CallOptions): Promise<t.SandboxClock> {
    return this.client.call('POST', `/v4/sandbox/clock/advance`, { body, options });
  }

  /** Make an event of a type, about the newest thing of yours that it could be about; nothing else happens. `POST /v4/sandbox/events/trigger` */
  triggerEvent(body: t.TriggerEvent, options?: CallOptions): Promise<t.Event> {
    return this.client.call('POST', `/v4/sandbox/events/trigger`, { body, options });
  }

  /** Decide what the gateway of a test payment says from now on, and have it call back. `POST /v4/sandbox/payments/{id}/complete` */
  completePayment(id: string, body: t.CompletePayment, options?: CallOptions): Promise<t.Payment> {
    return this.client.call('POST', `/v4/sandbox/payments/${part(id)}/complete`, { body, options });
  }

  /** Make a test provider down, slow or flaky for your account, or well again. `POST /v4/sandbox/providers/outage` */
  setOutage(body: t.SetOutage, options?: CallOptions): Promise<t.SandboxOutage> {
    return this.client.call('POST', `/v4/sandbox/providers/outage`, { body, options });
  }

  /** List the outages that last in your test mode. `GET /v4/sandbox/providers/outages` */
  listOutages(options?: CallOptions): Promise<t.SandboxOutageList> {
    return this.client.call('GET', `/v4/sandbox/providers/outages`, { options });
  }

  /** Empty all test cards and wallets, end all outages and set the clock back; history stays. `POST /v4/sandbox/reset` */
  reset(options?: CallOptions): Promise<t.SandboxReset> {
    return this.client.call('POST', `/v4/sandbox/reset`, { options });
  }

  /** List what phone numbers, customers, cardholders and the header X-Sandbox-Scenario do. `GET /v4/sandbox/scenarios` */
  listScenarios(options?: CallOptions): Promise<t.SandboxScenarios> {
    return this.client.call('GET', `/v4/sandbox/scenarios`, { options });
  }

  /** Decide how a running test purchase ends, or take a successful one back. `POST /v4/sandbox/transactions/{id}/settle` */
  settleTransaction(id: string, body: t.SettleTransaction, options?: CallOptions): Promise<t.Transaction> {
    return this.client.call('POST', `/v4/sandbox/transactions/${part(id)}/settle`, { body, options });
  }

  /** Play a payer: transfer test money to a virtual account, and have its bank call back. `POST /v4/sandbox/virtual-accounts/{id}/deposit` */
  depositIntoVirtualAccount(id: string, body: t.PayVirtualAccount, options?: CallOptions): Promise<t.SandboxTransfer> {
    return this.client.call('POST', `/v4/sandbox/virtual-accounts/${part(id)}/deposit`, { body, options });
  }

  /** Put test money into a wallet. `POST /v4/sandbox/wallets/{id}/credit` */
  creditWallet(id: string, body: Wet<t.CreditWallet>, options: CallOptions & DryRun): Promise<t.DryRunTransaction>;
  creditWallet(id: string, body: Wet<t.CreditWallet>, options?: CallOptions): Promise<t.Transaction>;
  creditWallet(id: string, body: Wet<t.CreditWallet>, options?: CallOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/sandbox/wallets/${part(id)}/credit`, { body, options });
  }
}

export class Transactions extends Resource {
  /** List transactions, newest first. `GET /v4/transactions` */
  list(query?: Query<t.ListTransactionsData['query']>, options?: CallOptions): Pages<ItemOf<t.TransactionList>> {
    return this.client.pages(`/v4/transactions`, { query, options });
  }

  /** Fetch a transaction by its id or by your reference; with its meter tokens and PINs for a key with the scope tokens:reveal. `GET /v4/transactions/{id}` */
  get(id: string, options?: CallOptions): Promise<t.Transaction> {
    return this.client.call('GET', `/v4/transactions/${part(id)}`, { options });
  }

  /** Cancel a purchase, a payout or a refund that nobody was asked for yet. `POST /v4/transactions/{id}/cancel` */
  cancel(id: string, options?: CallOptions): Promise<t.Transaction> {
    return this.client.call('POST', `/v4/transactions/${part(id)}/cancel`, { options });
  }

  /** Ask the provider now what became of a running purchase or payout. `POST /v4/transactions/{id}/requery` */
  requery(id: string, options?: CallOptions): Promise<t.Transaction> {
    return this.client.call('POST', `/v4/transactions/${part(id)}/requery`, { options });
  }

  /** Fetch what happened to a transaction, oldest first. `GET /v4/transactions/{id}/timeline` */
  getTimeline(id: string, options?: CallOptions): Promise<t.Timeline> {
    return this.client.call('GET', `/v4/transactions/${part(id)}/timeline`, { options });
  }
}

export class VirtualAccounts extends Resource {
  /** List virtual accounts, newest first. `GET /v4/virtual-accounts` */
  list(query?: Query<t.ListVirtualAccountsData['query']>, options?: CallOptions): Pages<ItemOf<t.VirtualAccountList>> {
    return this.client.pages(`/v4/virtual-accounts`, { query, options });
  }

  /** Open an account number: what is transferred to it is credited to a wallet. `POST /v4/virtual-accounts` */
  create(body: Wet<t.CreateVirtualAccount>, options: WaitOptions & DryRun): Promise<t.VirtualAccount>;
  create(body: Wet<t.CreateVirtualAccount>, options?: WaitOptions): Promise<t.VirtualAccount>;
  create(body: Wet<t.CreateVirtualAccount>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/virtual-accounts`, { body, options });
  }

  /** Fetch a virtual account. `GET /v4/virtual-accounts/{id}` */
  get(id: string, options?: CallOptions): Promise<t.VirtualAccount> {
    return this.client.call('GET', `/v4/virtual-accounts/${part(id)}`, { options });
  }

  /** Close a virtual account; what arrives all the same is held for a person. `POST /v4/virtual-accounts/{id}/close` */
  close(id: string, options?: CallOptions): Promise<t.VirtualAccount> {
    return this.client.call('POST', `/v4/virtual-accounts/${part(id)}/close`, { options });
  }
}

export class Wallets extends Resource {
  /** List wallets, newest first. `GET /v4/wallets` */
  list(query?: Query<t.ListWalletsData['query']>, options?: CallOptions): Pages<ItemOf<t.WalletList>> {
    return this.client.pages(`/v4/wallets`, { query, options });
  }

  /** Create a wallet. `POST /v4/wallets` */
  create(body: t.CreateWallet, options?: CallOptions): Promise<t.Wallet> {
    return this.client.call('POST', `/v4/wallets`, { body, options });
  }

  /** Move money between two wallets. `POST /v4/wallets/transfer` */
  transfer(body: Wet<t.CreateTransfer>, options: WaitOptions & DryRun): Promise<t.DryRunTransfer>;
  transfer(body: Wet<t.CreateTransfer>, options?: WaitOptions): Promise<t.Transfer>;
  transfer(body: Wet<t.CreateTransfer>, options?: WaitOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/wallets/transfer`, { body, options });
  }

  /** List the transfers that you made, newest first. `GET /v4/wallets/transfers` */
  listTransfers(query?: Query<t.ListTransfersData['query']>, options?: CallOptions): Pages<ItemOf<t.TransferList>> {
    return this.client.pages(`/v4/wallets/transfers`, { query, options });
  }

  /** Fetch a transfer. `GET /v4/wallets/transfers/{id}` */
  getTransfer(id: string, options?: CallOptions): Promise<t.Transfer> {
    return this.client.call('GET', `/v4/wallets/transfers/${part(id)}`, { options });
  }

  /** Fetch a wallet and its balance, now or at a moment. `GET /v4/wallets/{id}` */
  get(id: string, query?: Query<t.GetWalletData['query']>, options?: CallOptions): Promise<t.Wallet> {
    return this.client.call('GET', `/v4/wallets/${part(id)}`, { query, options });
  }

  /** Change the label, threshold or metadata of a wallet. `PATCH /v4/wallets/{id}` */
  update(id: string, body: t.UpdateWallet, options?: CallOptions): Promise<t.Wallet> {
    return this.client.call('PATCH', `/v4/wallets/${part(id)}`, { body, options });
  }

  /** Close an empty wallet for good. `POST /v4/wallets/{id}/close` */
  close(id: string, options?: CallOptions): Promise<t.Wallet> {
    return this.client.call('POST', `/v4/wallets/${part(id)}/close`, { options });
  }

  /** List the closed days of a wallet, newest first. `GET /v4/wallets/{id}/days` */
  listDays(id: string, query?: Query<t.ListWalletDaysData['query']>, options?: CallOptions): Pages<ItemOf<t.WalletDayList>> {
    return this.client.pages(`/v4/wallets/${part(id)}/days`, { query, options });
  }

  /** List the ledger entries of a wallet, newest first. `GET /v4/wallets/{id}/entries` */
  listEntries(id: string, query?: Query<t.ListWalletEntriesData['query']>, options?: CallOptions): Pages<ItemOf<t.EntryList>> {
    return this.client.pages(`/v4/wallets/${part(id)}/entries`, { query, options });
  }

  /** Freeze a wallet: it does not pay, takes no money, or neither, until it is unfrozen or a moment. `POST /v4/wallets/{id}/freeze` */
  freeze(id: string, body: t.FreezeWallet, options?: CallOptions): Promise<t.Wallet> {
    return this.client.call('POST', `/v4/wallets/${part(id)}/freeze`, { body, options });
  }

  /** Show what of a wallet is held, and by what. `GET /v4/wallets/{id}/holds` */
  listHolds(id: string, options?: CallOptions): Promise<t.HoldList> {
    return this.client.call('GET', `/v4/wallets/${part(id)}/holds`, { options });
  }

  /** Fetch the statement of a wallet for a period, as JSON, CSV or PDF. `GET /v4/wallets/{id}/statement` */
  getStatement(id: string, query?: Query<t.GetWalletStatementData['query']>, options?: CallOptions): Promise<t.Statement> {
    return this.client.call('GET', `/v4/wallets/${part(id)}/statement`, { query, options });
  }

  /** Let money move in and out of a frozen wallet again. `POST /v4/wallets/{id}/unfreeze` */
  unfreeze(id: string, options?: CallOptions): Promise<t.Wallet> {
    return this.client.call('POST', `/v4/wallets/${part(id)}/unfreeze`, { options });
  }
}

export class Webhooks extends Resource {
  /** List webhook endpoints, newest first. `GET /v4/webhooks` */
  list(query?: Query<t.ListWebhookEndpointsData['query']>, options?: CallOptions): Pages<ItemOf<t.WebhookEndpointList>> {
    return this.client.pages(`/v4/webhooks`, { query, options });
  }

  /** Register an address that is told of events. `POST /v4/webhooks` */
  create(body: t.CreateWebhookEndpoint, options?: CallOptions): Promise<t.NewWebhookEndpoint> {
    return this.client.call('POST', `/v4/webhooks`, { body, options });
  }

  /** Fetch a delivery and its attempts. `GET /v4/webhooks/deliveries/{id}` */
  getDelivery(id: string, options?: CallOptions): Promise<t.DeliveryDetails> {
    return this.client.call('GET', `/v4/webhooks/deliveries/${part(id)}`, { options });
  }

  /** Send the event of a delivery to its webhook endpoint again, at once. `POST /v4/webhooks/deliveries/{id}/retry` */
  retryDelivery(id: string, options?: CallOptions): Promise<t.DeliveryDetails> {
    return this.client.call('POST', `/v4/webhooks/deliveries/${part(id)}/retry`, { options });
  }

  /** Fetch a webhook endpoint. `GET /v4/webhooks/{id}` */
  get(id: string, options?: CallOptions): Promise<t.WebhookEndpoint> {
    return this.client.call('GET', `/v4/webhooks/${part(id)}`, { options });
  }

  /** Change a webhook endpoint. `PATCH /v4/webhooks/{id}` */
  update(id: string, body: t.UpdateWebhookEndpoint, options?: CallOptions): Promise<t.WebhookEndpoint> {
    return this.client.call('PATCH', `/v4/webhooks/${part(id)}`, { body, options });
  }

  /** Delete a webhook endpoint for good. `DELETE /v4/webhooks/{id}` */
  delete(id: string, options?: CallOptions): Promise<t.WebhookEndpoint> {
    return this.client.call('DELETE', `/v4/webhooks/${part(id)}`, { options });
  }

  /** List the deliveries to a webhook endpoint, newest first. `GET /v4/webhooks/{id}/deliveries` */
  listDeliveries(id: string, query?: Query<t.ListWebhookDeliveriesData['query']>, options?: CallOptions): Pages<ItemOf<t.WebhookDeliveryList>> {
    return this.client.pages(`/v4/webhooks/${part(id)}/deliveries`, { query, options });
  }

  /** Send nothing but replays and tests to a webhook endpoint. `POST /v4/webhooks/{id}/disable` */
  disable(id: string, options?: CallOptions): Promise<t.WebhookEndpoint> {
    return this.client.call('POST', `/v4/webhooks/${part(id)}/disable`, { options });
  }

  /** Send to a disabled webhook endpoint again; tells what it missed. `POST /v4/webhooks/{id}/enable` */
  enable(id: string, options?: CallOptions): Promise<t.EnabledWebhookEndpoint> {
    return this.client.call('POST', `/v4/webhooks/${part(id)}/enable`, { options });
  }

  /** Count what a webhook endpoint did not get since it began to fail, or was disabled. `GET /v4/webhooks/{id}/missed` */
  getMissedEvents(id: string, options?: CallOptions): Promise<t.WebhookMissed> {
    return this.client.call('GET', `/v4/webhooks/${part(id)}/missed`, { options });
  }

  /** Send events of a time to a webhook endpoint again, also to a disabled one. `POST /v4/webhooks/{id}/replay` */
  replay(id: string, body: Wet<t.ReplayEvents>, options: CallOptions & DryRun): Promise<t.WebhookReplay>;
  replay(id: string, body: Wet<t.ReplayEvents>, options?: CallOptions): Promise<t.WebhookReplay>;
  replay(id: string, body: Wet<t.ReplayEvents>, options?: CallOptions): Promise<unknown> {
    return this.client.call('POST', `/v4/webhooks/${part(id)}/replay`, { body, options });
  }

  /** Give a webhook endpoint a new secret; both sign for a while. `POST /v4/webhooks/{id}/rotate-secret` */
  rotateSecret(id: string, body: t.RotateSecret, options?: CallOptions): Promise<t.NewWebhookEndpoint> {
    return this.client.call('POST', `/v4/webhooks/${part(id)}/rotate-secret`, { body, options });
  }

  /** Send an event `webhook_endpoint.test` to a webhook endpoint. `POST /v4/webhooks/{id}/test` */
  test(id: string, options?: CallOptions): Promise<t.DeliveryDetails> {
    return this.client.call('POST', `/v4/webhooks/${part(id)}/test`, { options });
  }
}

/** Every resource of the service. */
export abstract class Resources {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly account: Account;
  readonly airtime: Airtime;
  readonly banks: Banks;
  readonly batches: Batches;
  readonly beneficiaries: Beneficiaries;
  readonly bills: Bills;
  readonly cardTransactions: CardTransactions;
  readonly cards: Cards;
  readonly conversions: Conversions;
  readonly customers: Customers;
  readonly data: Data;
  readonly deposits: Deposits;
  readonly disputes: Disputes;
  readonly events: Events;
  readonly idempotency: Idempotency;
  readonly payouts: Payouts;
  readonly phone: Phone;
  readonly quotes: Quotes;
  readonly rates: Rates;
  readonly references: References;
  readonly reports: Reports;
  readonly requestLogs: RequestLogs;
  readonly sandbox: Sandbox;
  readonly transactions: Transactions;
  readonly virtualAccounts: VirtualAccounts;
  readonly wallets: Wallets;
  readonly webhooks: Webhooks;

  constructor(client: Client) {
    this.payments = new Payments(client);
    this.refunds = new Refunds(client);
    this.account = new Account(client);
    this.airtime = new Airtime(client);
    this.banks = new Banks(client);
    this.batches = new Batches(client);
    this.beneficiaries = new Beneficiaries(client);
    this.bills = new Bills(client);
    this.cardTransactions = new CardTransactions(client);
    this.cards = new Cards(client);
    this.conversions = new Conversions(client);
    this.customers = new Customers(client);
    this.data = new Data(client);
    this.deposits = new Deposits(client);
    this.disputes = new Disputes(client);
    this.events = new Events(client);
    this.idempotency = new Idempotency(client);
    this.payouts = new Payouts(client);
    this.phone = new Phone(client);
    this.quotes = new Quotes(client);
    this.rates = new Rates(client);
    this.references = new References(client);
    this.reports = new Reports(client);
    this.requestLogs = new RequestLogs(client);
    this.sandbox = new Sandbox(client);
    this.transactions = new Transactions(client);
    this.virtualAccounts = new VirtualAccounts(client);
    this.wallets = new Wallets(client);
    this.webhooks = new Webhooks(client);
  }
}
