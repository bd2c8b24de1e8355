import type { Made, Step } from './walker';

const FAR = '2099-12-31T00:00:00.000Z';
const LONG_AGO = '2026-01-01T00:00:00.000Z';
const PHONE = '+2348031234567';
/** Stays processing until somebody settles it. */
const PHONE_PROCESSING = '+2348000001111';

const at = (name: string) => (made: Made) => ({ id: made[name]!.id as string });
const id = (made: Made, name: string) => made[name]!.id as string;

/**
 * Every operation of the interface once, in an order in which a fresh sandbox carries each out: the examples of the OpenAPI document and
 * the Postman collection are what these requests and their answers were. A step with a `title` of its own only prepares another.
 */
export const WALK: readonly Step[] = [
  { operation: 'get_health' },
  { operation: 'get_readiness' },
  { operation: 'get_account' },
  { operation: 'list_sandbox_scenarios' },

  {
    operation: 'create_wallet',
    body: () => ({
      currency: 'NGN',
      label: 'Shop float',
      reference: 'wallet-1001',
      low_balance_threshold: 50_000,
      metadata: { branch: 'yaba' },
    }),
    as: 'wallet',
  },
  {
    operation: 'create_wallet',
    title: 'Create a second wallet',
    body: () => ({ currency: 'NGN', label: 'Savings' }),
    as: 'savings',
  },
  {
    operation: 'create_wallet',
    title: 'Create a wallet in dollars',
    body: () => ({ currency: 'USD', label: 'Cards' }),
    as: 'dollars',
  },
  {
    operation: 'create_wallet',
    title: 'Create a wallet to close',
    body: () => ({ currency: 'NGN', label: 'Old shop' }),
    as: 'old',
  },
  {
    operation: 'credit_sandbox_wallet',
    path: at('wallet'),
    body: () => ({ amount: 10_000_000, reference: 'top-up-1001', metadata: { by: 'qa' } }),
  },
  {
    operation: 'credit_sandbox_wallet',
    title: 'Put test dollars in',
    path: at('dollars'),
    body: () => ({ amount: 100_000 }),
  },
  { operation: 'list_wallets', query: () => ({ limit: '2', currency: 'NGN' }) },
  { operation: 'get_wallet', path: at('wallet') },
  {
    operation: 'update_wallet',
    path: at('wallet'),
    body: () => ({ label: 'Shop float, Yaba', low_balance_threshold: 105_000 }),
  },
  {
    operation: 'transfer_between_wallets',
    as: 'transfer',
    body: (made) => ({
      from_wallet: id(made, 'wallet'),
      to_wallet: id(made, 'savings'),
      amount: 105_000,
      currency: 'NGN',
      reference: 'transfer-1001',
      narration: 'Float top-up',
    }),
  },
  { operation: 'list_transfers', query: () => ({ limit: '2' }) },
  { operation: 'get_transfer', path: at('transfer') },
  { operation: 'list_rates', query: () => ({ from: 'USD', to: 'NGN' }) },
  {
    operation: 'create_quote',
    body: () => ({ from_currency: 'USD', to_currency: 'NGN', amount: 1_000, side: 'sell' }),
    as: 'quote',
  },
  { operation: 'get_quote', path: at('quote') },
  {
    operation: 'convert',
    as: 'conversion',
    body: (made) => ({
      quote_id: id(made, 'quote'),
      from_wallet: id(made, 'dollars'),
      to_wallet: id(made, 'wallet'),
      reference: 'conversion-1001',
      metadata: { desk: 'treasury' },
    }),
  },
  { operation: 'list_conversions', query: () => ({ limit: '2' }) },
  { operation: 'get_conversion', path: at('conversion') },
  { operation: 'list_wallet_entries', path: at('wallet'), query: () => ({ limit: '2' }) },
  { operation: 'freeze_wallet', path: at('old') },
  { operation: 'unfreeze_wallet', path: at('old') },
  { operation: 'close_wallet', path: at('old') },

  {
    operation: 'create_webhook_endpoint',
    body: () => ({
      url: 'http://localhost:4000/duka/events',
      events: ['transaction.*', 'wallet.credited'],
      description: 'Order service',
    }),
    as: 'endpoint',
  },

  { operation: 'look_up_phone', query: () => ({ phone: PHONE, country: 'NG' }) },
  { operation: 'list_airtime_networks', query: () => ({ country: 'NG' }) },
  {
    operation: 'buy_airtime',
    body: (made) => ({
      phone: PHONE,
      amount: 50_000,
      wallet_id: id(made, 'wallet'),
      reference: 'airtime-1001',
      metadata: { order: '1001' },
    }),
    as: 'airtime',
  },
  { operation: 'list_data_plans', query: () => ({ network: 'mtn', type: 'sme', limit: '2' }) },
  {
    operation: 'buy_data',
    body: (made) => ({
      phone: PHONE,
      plan_code: 'mtn-sme-1gb-1m',
      wallet_id: id(made, 'wallet'),
      reference: 'data-1001',
    }),
  },
  { operation: 'list_bill_categories' },
  { operation: 'list_billers', query: () => ({ category: 'electricity', country: 'NG', limit: '2' }) },
  { operation: 'list_biller_items', path: () => ({ code: 'ikeja-electric' }), query: () => ({ limit: '2' }) },
  {
    operation: 'validate_bill_customer',
    body: () => ({ biller_code: 'ikeja-electric', item_code: 'prepaid', customer_identifier: '1111111111111' }),
    as: 'validation',
  },
  {
    operation: 'pay_bill',
    body: (made) => ({
      biller_code: 'ikeja-electric',
      item_code: 'prepaid',
      customer_identifier: '1111111111111',
      validation_id: id(made, 'validation'),
      amount: 500_000,
      wallet_id: id(made, 'wallet'),
      reference: 'bill-1001',
    }),
  },
  { operation: 'list_transactions', query: () => ({ limit: '2', type: 'airtime_purchase' }) },
  { operation: 'list_transactions_v1', query: () => ({ limit: '2', type: 'airtime_purchase' }) },
  { operation: 'get_transaction', path: at('airtime') },
  { operation: 'get_transaction_timeline', path: at('airtime') },
  { operation: 'check_reference', path: () => ({ reference: 'airtime-1001' }) },
  { operation: 'check_idempotency_key', path: () => ({ key: 'b7e0c2a4-7f1d-4c8e-9b53-0d4f6a1e2c3b' }) },
  {
    operation: 'buy_airtime',
    title: 'Buy airtime that stays processing',
    headers: { prefer: 'wait=0' },
    status: 202,
    body: (made) => ({ phone: PHONE_PROCESSING, amount: 20_000, wallet_id: id(made, 'wallet'), network: 'mtn' }),
    as: 'running',
  },
  { operation: 'list_wallet_holds', path: at('wallet') },
  { operation: 'requery_transaction', path: at('running') },
  { operation: 'settle_sandbox_transaction', path: at('running'), body: () => ({ status: 'successful' }) },
  {
    operation: 'buy_airtime',
    title: 'Buy airtime that waits for money',
    headers: { prefer: 'wait=0' },
    status: 202,
    body: (made) => ({
      phone: PHONE,
      amount: 90_000,
      wallet_id: id(made, 'empty'),
      on_insufficient_funds: 'queue',
      deliver_by: FAR,
    }),
    as: 'waiting',
    before: {
      operation: 'create_wallet',
      title: 'Create a wallet without money',
      body: () => ({ currency: 'NGN' }),
      as: 'empty',
    },
  },
  { operation: 'cancel_transaction', path: at('waiting') },

  {
    operation: 'create_customer',
    as: 'customer',
    body: () => ({
      first_name: 'Ada',
      last_name: 'Obi',
      email: 'ada@example.com',
      phone: PHONE,
      date_of_birth: '1990-04-21',
      address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
      identity: { type: 'passport', number: 'A01234567' },
    }),
  },
  { operation: 'list_customers', query: () => ({ limit: '2' }) },
  { operation: 'get_customer', path: at('customer') },
  { operation: 'update_customer', path: at('customer'), body: () => ({ email: 'ada.obi@example.com' }) },
  {
    operation: 'issue_card',
    as: 'card',
    body: (made) => ({
      customer_id: id(made, 'customer'),
      currency: 'USD',
      brand: 'visa',
      amount: 5_000,
      funding_wallet_id: id(made, 'dollars'),
      label: 'Cloud hosting',
      reference: 'card-1001',
    }),
  },
  { operation: 'list_cards', query: () => ({ limit: '2', status: 'active' }) },
  { operation: 'get_card', path: at('card') },
  { operation: 'update_card', path: at('card'), body: () => ({ label: 'Cloud hosting, 2027' }) },
  {
    operation: 'fund_card',
    path: at('card'),
    body: (made) => ({ amount: 2_500, wallet_id: id(made, 'dollars'), reference: 'load-1001' }),
  },
  {
    operation: 'withdraw_from_card',
    path: at('card'),
    body: (made) => ({ amount: 1_000, wallet_id: id(made, 'dollars'), reference: 'unload-1001' }),
  },
  {
    operation: 'simulate_card_transaction',
    path: at('card'),
    as: 'authorization',
    body: () => ({
      kind: 'authorization',
      amount: 1_250,
      merchant: { name: 'EXAMPLE CLOUD', mcc: '7372', country: 'US' },
    }),
  },
  { operation: 'list_card_transactions', path: at('card'), query: () => ({ limit: '2' }) },
  { operation: 'reveal_card', path: at('card') },
  { operation: 'freeze_card', path: at('card') },
  { operation: 'unfreeze_card', path: at('card') },
  { operation: 'list_card_transitions', path: at('card'), query: () => ({ limit: '2' }) },
  {
    operation: 'simulate_card_transaction',
    title: 'Void the authorization',
    path: at('card'),
    body: (made) => ({ kind: 'void', card_transaction_id: id(made, 'authorization') }),
  },
  { operation: 'terminate_card', path: at('card') },

  {
    operation: 'create_payment',
    as: 'payment',
    body: (made) => ({
      amount: 105_000,
      currency: 'NGN',
      reference: 'payment-1001',
      description: 'Order 1001',
      wallet_id: id(made, 'wallet'),
      gateway: 'sandbox_card',
      callback_url: 'https://shop.example.com/paid',
      expires_in: 3_600,
      customer: { email: 'ada@example.com' },
    }),
  },
  { operation: 'list_payments', query: () => ({ limit: '2' }) },
  { operation: 'complete_sandbox_payment', path: at('payment'), body: () => ({ status: 'successful' }) },
  { operation: 'get_payment', path: at('payment') },
  { operation: 'get_payment_status', path: at('payment') },
  {
    operation: 'cancel_payment',
    path: at('unpaid'),
    before: {
      operation: 'create_payment',
      title: 'Ask for a payment that nobody makes',
      body: () => ({ amount: 20_000, currency: 'NGN' }),
      as: 'unpaid',
    },
  },

  { operation: 'list_webhook_endpoints', query: () => ({ limit: '2' }) },
  { operation: 'get_webhook_endpoint', path: at('endpoint') },
  {
    operation: 'update_webhook_endpoint',
    path: at('endpoint'),
    body: () => ({ events: ['transaction.*', 'payment.*'], description: 'Order service' }),
  },
  { operation: 'rotate_webhook_secret', path: at('endpoint'), body: () => ({ expires_in: 86_400 }) },
  { operation: 'trigger_sandbox_event', body: () => ({ type: 'transaction.successful' }) },
  { operation: 'test_webhook_endpoint', path: at('endpoint'), as: 'delivery' },
  { operation: 'list_webhook_deliveries', path: at('endpoint'), query: () => ({ limit: '2' }) },
  { operation: 'get_webhook_delivery', path: at('delivery') },
  { operation: 'retry_webhook_delivery', path: at('delivery') },
  { operation: 'disable_webhook_endpoint', path: at('endpoint') },
  { operation: 'enable_webhook_endpoint', path: at('endpoint') },
  { operation: 'list_events', query: () => ({ limit: '2', type: 'wallet.credited' }), as: 'events' },
  { operation: 'get_event', path: (made) => ({ id: made.events!.data[0].id as string }) },
  {
    operation: 'replay_webhook_events',
    path: at('endpoint'),
    body: () => ({ created_gte: LONG_AGO, created_lt: FAR, only: 'all', dry_run: true }),
    status: 200,
  },
  { operation: 'delete_webhook_endpoint', path: at('endpoint') },

  { operation: 'get_sandbox_clock' },
  { operation: 'advance_sandbox_clock', body: () => ({ seconds: 20 }) },
  { operation: 'set_sandbox_outage', body: () => ({ provider: 'sandbox', mode: 'none' }) },
  { operation: 'reset_sandbox' },
];
