import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../src/core/database/unit-of-work';
import { decodeId, encodeId, newIdOf } from '../../src/core/http/ids';
import type { CardOrder } from '../../src/modules/cards/card-issuer';
import type { IdentityProvider } from '../../src/modules/cards/identity.provider';
import type { Dispute } from '../../src/modules/cards/disputes/dispute.entity';
import { disputeEvent, disputeWrite } from '../../src/modules/cards/disputes/dispute-store';
import { AuthorizationsService } from '../../src/modules/cards/authorizations.service';
import { Registry } from '../../src/providers/registry';
import { paymentWrite } from '../../src/modules/payments/payment-store';
import type { Refund } from '../../src/modules/payments/refunds/refund.entity';
import { refundEvent, refundWrite } from '../../src/modules/payments/refunds/refund-store';
import type { PayoutProvider } from '../../src/modules/payouts/payouts.provider';
import { accountReferenceOf } from '../../src/modules/virtual-accounts/bank-client';
import { DepositRun } from '../../src/modules/virtual-accounts/deposit-run';
import type { Arrival, VirtualAccountProvider } from '../../src/modules/virtual-accounts/virtual-accounts.provider';
import { DepositsService } from '../../src/modules/wallets/deposits.service';
import { WalletsService } from '../../src/modules/wallets/wallets.service';
import type { Api } from './api';
import { cardholder } from './cardholder';
import type { Duka } from './duka';
import { setRate } from './rates';

/** One of each thing that an account can own, under the name that an address has for it. */
export interface Belongings {
  readonly wal: string;
  readonly trf: string;
  readonly txn: string;
  readonly evt: string;
  readonly whk: string;
  readonly dlv: string;
  readonly pay: string;
  readonly rfd: string;
  /** A transaction of its own kind. */
  readonly payout: string;
  readonly ben: string;
  readonly bat: string;
  readonly rpt: string;
  readonly req: string;
  readonly vac: string;
  /** What arrived at it. */
  readonly dep: string;
  readonly qte: string;
  readonly cnv: string;
  readonly cus: string;
  readonly crd: string;
  /** An open authorization on the card. */
  readonly ctx: string;
  /** About the authorization, as it is recorded. */
  readonly dsp: string;
  /** The wallet that paid the card. */
  readonly usd: string;
  /** An idempotency key that was used. */
  readonly key: string;
  readonly reference: string;
  /** Code of a biller, which all accounts see alike. */
  readonly biller: string;
}

/** Makes one of each with `api`'s key, so that every list has more than one row, and leaves 1,000 minor units in the wallet. */
export async function acquire(duka: Duka, api: Api): Promise<Belongings> {
  const [from, to] = [await api.wallet(), await api.wallet()];
  await deposit(duka, from, 1102n);
  const [key, reference] = [`key-${randomUUID()}`, `ref-${randomUUID()}`];
  await api.post('/v4/wallets/transfer', { from_wallet: from, to_wallet: to, amount: 50 });
  const { body: transfer } = await api.post(
    '/v4/wallets/transfer',
    { from_wallet: from, to_wallet: to, amount: 50, reference },
    { key },
  );
  const bat = await batches(api, from, to);
  const rpt = await reports(api);
  const req = (await api.get('/v4/account')).headers.get('request-id')!;
  const pay = await payment(duka, from);
  await payment(duka, from);
  await refund(duka, from, pay);
  const rfd = await refund(duka, from, pay);
  const payouts = await payoutsOf(duka, api, from);
  const funding = await virtualAccountsOf(duka, api, to);
  const cards = await cardsOf(duka, api);
  const converted = await conversionOf(duka, api, { from: cards.usd, to });
  const { body: events } = await api.get('/v4/events');
  const hook = { ...(await webhook(api)), evt: events.data[0].id };
  return {
    pay,
    bat,
    rpt,
    req,
    rfd,
    ...payouts,
    ...funding,
    wal: from,
    trf: transfer.id,
    txn: transfer.transactions.debit,
    ...hook,
    ...cards,
    ...converted,
    key,
    reference,
    biller: 'ikeja-electric',
  };
}

/** Two active cards with a cardholder each. Live ones are made by an issuer that exists in tests only. */
async function cardsOf(duka: Duka, api: Api): Promise<Pick<Belongings, 'cus' | 'crd' | 'ctx' | 'dsp' | 'usd'>> {
  await withLiveIssuer(duka);
  const usd = await api.wallet(0, 'USD');
  await deposit(duka, usd, 5_000n);
  const issue = async () => {
    const { id: customer } = (await api.post('/v4/customers', cardholder())).body;
    await api.post(`/v4/customers/${customer}/verify`);
    const order = { customer_id: customer, currency: 'USD', amount: 500, funding_wallet_id: usd };
    return (await api.post('/v4/cards/issue', order, { key: randomUUID() })).body;
  };
  await issue();
  const { id: crd, customer_id: cus } = await issue();
  const ctx = await authorization(duka, crd, usd);
  await dispute(duka, { crd, ctx, usd });
  return { cus, crd, usd, ctx, dsp: await dispute(duka, { crd, ctx, usd }) };
}

/** Two; the id of the second. */
async function reports(api: Api): Promise<string> {
  const make = async () =>
    (
      await api.post(
        '/v4/reports',
        { kind: 'transactions', from: '2026-01-01', to: '2026-01-31' },
        { key: randomUUID() },
      )
    ).body;
  await make();
  return (await make()).id;
}

/** Two of one transfer each; the id of the second. */
async function batches(api: Api, from: string, to: string): Promise<string> {
  const place = async () => {
    const items = [{ from_wallet: from, to_wallet: to, amount: 1, reference: randomUUID() }];
    const { body } = await api.post(
      '/v4/batches',
      { kind: 'transfer', on_error: 'all_or_nothing', items },
      { key: randomUUID() },
    );
    return body.id as string;
  };
  await place();
  return place();
}

/** Live ones are made by a provider that exists in tests only. */
async function payoutsOf(duka: Duka, api: Api, wallet: string): Promise<Pick<Belongings, 'payout' | 'ben'>> {
  const registry = duka.get<Registry>(Registry);
  if (!registry.find('payout', 'test_live')) {
    registry.add({ product: 'payout', name: 'test_live', mode: 'live' }, {
      resolve: async () => ({ outcome: 'found', accountName: 'ADAEZE OKAFOR' }),
      purchase: async ({ reference }) => ({ outcome: 'delivered', providerReference: reference }),
      find: async () => ({ outcome: 'not_known' }),
    } satisfies PayoutProvider);
    const route = `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('payout', '*', true, 'test_live', 1)`;
    await duka.app.get(DataSource).query(route);
  }
  const pay = async () => {
    await deposit(duka, wallet, 5_001n);
    const bank = { code: '058', account_number: '0123456789' };
    const { body: beneficiary } = await api.post('/v4/beneficiaries', { bank });
    const { body } = await api.post('/v4/payouts', { wallet_id: wallet, amount: 1, bank, allow_duplicate: true });
    return { payout: body.id, ben: beneficiary.id };
  };
  for (const other of [
    { kind: 'phone', phone: { phone: '+2348031234567' } },
    { kind: 'wallet', wallet: { wallet_id: wallet } },
  ])
    await api.post('/v4/beneficiaries', other);
  // Of three that are paid one may be deleted.
  await pay();
  await pay();
  return pay();
}

/** Live ones are had by a bank that exists in tests only, and that has received whatever it is asked about. */
async function virtualAccountsOf(duka: Duka, api: Api, wallet: string): Promise<Pick<Belongings, 'vac' | 'dep'>> {
  const registry = duka.get<Registry>(Registry);
  if (!registry.find('virtual_accounts', 'test_live')) {
    const arrivals = new Map<string, Arrival>();
    registry.add({ product: 'virtual_accounts', name: 'test_live', mode: 'live' }, {
      open: async ({ reference: providerReference }) => ({
        outcome: 'opened',
        providerReference,
        bank: { code: null, name: 'Test Bank' },
        accountNumber: '0123456789',
        accountName: 'Test',
      }),
      close: async () => ({ outcome: 'closed' }),
      find: async ({ providerReference }) => ({
        outcome: 'received',
        ...arrivals.get(providerReference)!,
        payer: { name: 'Ada', bank: null, accountNumber: null },
        sessionId: null,
        arrivedAt: new Date(),
      }),
      list: async () => ({ outcome: 'listed', arrivals: [], next: null }),
      verify: ({ body }) => {
        const { account, providerReference } = JSON.parse(body.toString()) as Record<string, string>;
        const arrival = { account: account!, providerReference: providerReference!, amount: 50n, currency: 'NGN' };
        arrivals.set(arrival.providerReference, arrival);
        return { outcome: 'genuine', arrival };
      },
    } satisfies VirtualAccountProvider);
    const route = `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('virtual_accounts', '*', true, 'test_live', 1)`;
    await duka.app.get(DataSource).query(route);
  }
  const accountId = (await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', wallet)!))!.accountId;
  const open = async (): Promise<string> => {
    const { body } = await api.post('/v4/virtual-accounts', { wallet_id: wallet, kind: 'permanent' });
    if (!body.livemode) {
      await api.post(`/v4/sandbox/virtual-accounts/${body.id}/deposit`, { amount: 50 });
      return body.id;
    }
    const account = accountReferenceOf({ accountId, id: decodeId('vac', body.id)! });
    const told = Buffer.from(JSON.stringify({ account, providerReference: body.id }));
    await duka.get<DepositRun>(DepositRun).receive('test_live', { body: told, headers: {} });
    return body.id;
  };
  // Of three accounts one may be closed.
  const [vac] = [await open(), await open(), await open()];
  const { body: deposits } = await api.get(`/v4/deposits?virtual_account_id=${vac}`);
  return { vac, dep: deposits.data[0].id };
}

/** At a rate that an operator set: live mode has none by itself. */
async function conversionOf(
  duka: Duka,
  api: Api,
  { from, to }: { from: string; to: string },
): Promise<Pick<Belongings, 'qte' | 'cnv'>> {
  await setRate(duka, { from: 'USD', to: 'NGN', rate: '10', livemode: true });
  const convert = async (): Promise<Pick<Belongings, 'qte' | 'cnv'>> => {
    const wanted = { from_currency: 'USD', to_currency: 'NGN', amount: 1 };
    const { body: quote } = await api.post('/v4/quotes', wanted);
    const order = { quote_id: quote.id, from_wallet: from, to_wallet: to, allow_duplicate: true };
    const { body } = await api.post('/v4/conversions', order);
    await deposit(duka, from, 1n);
    return { qte: quote.id, cnv: body.id };
  };
  await convert();
  return convert();
}

/** As an issuer tells of it: the sandbox plays the network for test cards only. */
async function authorization(duka: Duka, cardId: string, walletId: string): Promise<string> {
  const { accountId, livemode } = (await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', walletId)!))!;
  const order = { amount: 50n, merchant: { name: 'Corner Shop', mcc: '5411', country: 'NG' }, issuerReference: null };
  const cause = { key: null, fingerprint: Buffer.alloc(32), message: null, requestId: null };
  const authorizations = duka.get<AuthorizationsService>(AuthorizationsService);
  const { made } = await authorizations.authorize({ accountId, livemode, id: decodeId('crd', cardId)! }, order, cause);
  return encodeId('ctx', made.id);
}

/** One that was lost at once, as it is recorded: live mode has no issuer here that takes disputes. */
async function dispute(duka: Duka, { crd, ctx, usd }: Pick<Belongings, 'crd' | 'ctx' | 'usd'>): Promise<string> {
  const { accountId, livemode } = (await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', usd)!))!;
  const at = new Date();
  const made: Dispute = {
    accountId,
    livemode,
    id: newIdOf(accountId),
    cardId: decodeId('crd', crd)!,
    cardTransactionId: decodeId('ctx', ctx)!,
    status: 'lost',
    amount: 50n,
    currency: 'USD',
    reason: 'other',
    evidence: { text: 'None.', links: [] },
    issuer: livemode ? 'test_live' : 'sandbox',
    issuerReference: null,
    provisionalCredit: null,
    wonAmount: null,
    withdrawal: null,
    failure: null,
    reference: null,
    metadata: {},
    attempts: 1,
    checks: 0,
    nextCheckAt: null,
    review: null,
    reviews: 0,
    version: 2,
    requestId: null,
    idempotencyKey: null,
    updatedAt: at,
    resolvedAt: at,
  };
  const events = [
    disputeEvent({ ...made, status: 'open', resolvedAt: null }, 'open', null),
    disputeEvent(made, 'lost', 'open'),
  ];
  const unitOfWork = duka.get<UnitOfWork>(UnitOfWork);
  await unitOfWork.run((tx) => unitOfWork.write(tx, [disputeWrite(made), ...events]));
  return encodeId('dsp', made.id);
}

/** Of live mode: an issuer of cards, and somebody who vouches for everybody. They exist in tests only. */
export async function withLiveIssuer(duka: Duka): Promise<void> {
  const registry = duka.get<Registry>(Registry);
  if (registry.find('cards', 'test_live')) return;
  registry.add({ product: 'identity', name: 'test_live', mode: 'live' }, {
    verify: async ({ reference }) => ({ outcome: 'verified', providerReference: reference }),
    find: async () => ({ outcome: 'not_known' }),
  } satisfies IdentityProvider);
  registry.add(
    { product: 'cards', name: 'test_live', mode: 'live' },
    {
      issue: async ({ reference }: CardOrder) => ({
        outcome: 'done',
        issuerReference: reference,
        last4: '4242',
        expMonth: 1,
        expYear: 2099,
      }),
      find: async () => ({ outcome: 'not_known' }),
      setState: async () => ({ outcome: 'done' }),
      reveal: async () => ({ url: 'https://issuer.example/card' }),
    },
  );
  const route = `INSERT INTO provider_routes (product, network, livemode, provider, position) VALUES ('cards', '*', true, 'test_live', 1),
    ('identity', '*', true, 'test_live', 1)`;
  await duka.app.get(DataSource).query(route);
}

/** An endpoint with a delivery, beside two others. Its address is public, as live mode demands, and nobody's. */
async function webhook(api: Api): Promise<Pick<Belongings, 'whk' | 'dlv'>> {
  const make = async () =>
    (await api.post('/v4/webhooks', { url: 'https://11.11.11.11:9999/hooks', events: ['*'] })).body.id;
  const [whk] = [await make(), await make(), await make()];
  const { body: tested } = await api.post(`/v4/webhooks/${whk}/test`);
  await api.post(`/v4/webhooks/${whk}/test`);
  return { whk, dlv: tested.id };
}

/** As it is recorded: live mode has no gateway here that could be asked. */
async function payment(duka: Duka, walletId: string): Promise<string> {
  const { accountId, livemode, id } = (await duka
    .get<WalletsService>(WalletsService)
    .findAny(decodeId('wal', walletId)!))!;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const blank = {
    options: {},
    gateway: null,
    gatewayReference: null,
    page: null,
    reference: null,
    description: null,
    customer: null,
    callbackUrl: null,
    metadata: {},
    breakdown: [],
    amountReceived: null,
    currencyReceived: null,
    amountRefunded: 0n,
    onUnderpaid: 'review' as const,
    onOverpaid: 'review' as const,
    reviews: 0,
    reversals: [],
    resolution: null,
    creditWalletId: null,
    failure: null,
    review: null,
    transactionId: null,
    paidAt: null,
    checks: 0,
    version: 1,
    requestId: null,
    idempotencyKey: null,
  };
  const made = {
    ...blank,
    accountId,
    livemode,
    id: newIdOf(accountId),
    status: 'pending',
    amount: 100n,
    fee: 0n,
    currency: 'NGN',
    walletId: id,
    gateways: ['sandbox_card'],
    expiresAt,
    nextCheckAt: expiresAt,
    updatedAt: new Date(),
  } as const;
  const unitOfWork = duka.get<UnitOfWork>(UnitOfWork);
  await unitOfWork.run((tx) => unitOfWork.write(tx, [paymentWrite({ ...made, gateways: [...made.gateways] })]));
  return encodeId('pay', made.id);
}

/** One that came to nothing, as it is recorded: of a payment that nobody made. */
async function refund(duka: Duka, walletId: string, paymentId: string): Promise<string> {
  const { accountId, livemode } = (await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', walletId)!))!;
  const at = new Date();
  const made: Refund = {
    accountId,
    livemode,
    id: newIdOf(accountId),
    paymentId: decodeId('pay', paymentId)!,
    status: 'failed',
    walletId: null,
    transactionId: null,
    amount: 100n,
    fee: 0n,
    currency: 'NGN',
    gateway: 'sandbox_card',
    gatewayReference: null,
    reference: null,
    reason: null,
    metadata: {},
    breakdown: [],
    failure: { code: 'refund_refused', message: 'No.', recovery: 'none' },
    approval: null,
    approveBy: null,
    attempts: 1,
    askedAt: null,
    checks: 0,
    notKnown: 0,
    nextCheckAt: null,
    review: null,
    reviews: 0,
    version: 3,
    requestId: null,
    idempotencyKey: null,
    updatedAt: at,
    completedAt: at,
  };
  const events = [refundEvent(made, 'processing', 'pending'), refundEvent(made, 'failed', 'processing')];
  const unitOfWork = duka.get<UnitOfWork>(UnitOfWork);
  await unitOfWork.run((tx) => unitOfWork.write(tx, [refundWrite(made), ...events]));
  return encodeId('rfd', made.id);
}

/** As an operator does it: the sandbox has no live money. */
export async function deposit(duka: Duka, walletId: string, amount: bigint): Promise<void> {
  const wallet = (await duka.get<WalletsService>(WalletsService).findAny(decodeId('wal', walletId)!))!;
  const source = wallet.livemode ? 'opening' : 'sandbox_source';
  const claim = { key: null, fingerprint: Buffer.alloc(32) };
  await duka
    .get<DepositsService>(DepositsService)
    .deposit({ wallet, amount, source, reference: null, metadata: {} }, claim, {
      requestId: null,
      idempotencyKey: null,
    });
}
