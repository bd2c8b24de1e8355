import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallbackRequest } from '../../../src/providers/answers';
import { type Heard, Pretended, send } from '../pretended';
import { NONSENSE } from './nonsense';
import { OPERATORS, type PretendedOperator } from './operators';

const MEDIA_TYPE = 'application/com.reloadly.topups-v1+json';
const DRIP_MS = 20;
const ASYNC_MS = 2_000;
const UNIT = 100_000n;

/** What it does about a top-up with a reference; of none it is told, it delivers. */
export type Deed =
  | 'delivers'
  /** Refuses before anything is done, as 400 INVALID_RECIPIENT_PHONE: there is no record of it. */
  | 'refuses'
  | 'stays_silent'
  | 'drips'
  | 'talks_nonsense'
  | 'locks_us_out'
  | 'goes_dark'
  | 'loses_its_mind'
  /** PROCESSING until `settle`. */
  | 'takes_its_time'
  /** The operator fails: nothing is debited. */
  | 'fails'
  /** Debits, is refused by the operator, and gives it back. */
  | 'refunds'
  /** Delivers, and its report does not have it yet. */
  | 'reports_late'
  /** Two at once under one reference are both sold: its check is not atomic. */
  | 'sells_twice';

interface Plan {
  readonly deed: Deed;
  readonly kind: number;
}

/** 1/100,000 of a currency. */
type Units = bigint;

export interface Topup {
  readonly id: number;
  readonly reference: string;
  readonly operator: PretendedOperator;
  readonly phone: string;
  readonly requested: Units;
  readonly isLocal: boolean;
  readonly cost: Units;
  status: 'PROCESSING' | 'SUCCESSFUL' | 'FAILED' | 'REFUNDED';
  balance: { readonly old: Units; readonly new: Units } | null;
}

/** What it says of our account, whatever it is asked. */
const ACCOUNT_WORDS = [
  [403, 'INACTIVE_ACCOUNT'],
  [400, 'INSUFFICIENT_BALANCE'],
  [401, 'INVALID_TOKEN'],
  [429, 'RATE_LIMIT_REACHED'],
] as const;

/** Reloadly on a port of this machine: tokens, float, operators, top-ups, reports and webhooks. */
export class Company extends Pretended {
  readonly clientId = 'pretended-client';
  clientSecret = 'pretended-secret';
  readonly webhookSecret = 'pretended-webhook-secret';
  readonly audience = 'https://topups.reloadly.com';
  /** Currency of our account; others pay what the operator's `fx` says. */
  currency = 'USD';
  /** Our float, in 1/100,000. */
  float: Units = 1_000_000n * UNIT;
  /** How many top-ups were sold under a reference. */
  readonly sales = new Map<string, number>();
  /** Older versions write it as text. */
  tokenSeconds: unknown = 86_400;
  /** How many tokens it gave. */
  tokens = 0;
  /** As documented: two minutes have to pass before a number is topped up again. Tests top one up all the time. */
  minMsBetween = 0;
  /** What it sends by itself, in order. */
  readonly callbacks = {
    own: (reference: string | null) => this.callback(reference, this.webhookSecret),
    foreign: (reference: string) => this.callback(reference, 'another'),
  };
  /** Hears of an order that nobody planned, when it is asked about it, and may plan it. */
  decide: (reference: string) => void = () => undefined;
  readonly topups: Topup[] = [];
  /** Minor units of a top-up that will arrive, where it is not all of it. */
  readonly parts = new Map<string, bigint>();
  private valid = new Set<string>();
  private readonly plans = new Map<string, Plan>();
  private readonly waiting = new Map<string, () => void>();
  private readonly lastAt = new Map<string, number>();

  get settings(): Readonly<Record<string, string>> {
    return {
      RELOADLY_CLIENT_ID: this.clientId,
      RELOADLY_CLIENT_SECRET: this.clientSecret,
      RELOADLY_WEBHOOK_SECRET: this.webhookSecret,
      RELOADLY_AUDIENCE: this.audience,
      RELOADLY_TOPUPS_URL: this.url,
      RELOADLY_AUTH_URL: this.url,
    };
  }

  plan(reference: string, deed: Deed, kind = 0): void {
    this.plans.set(reference, { deed, kind });
  }

  /** Resolves when it is asked about the reference for the next time, and has begun to do what is planned. */
  begun(reference: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(reference, resolve));
  }

  /** Ends what takes its time. */
  settle(reference: string, status: 'SUCCESSFUL' | 'FAILED' | 'REFUNDED'): void {
    const topup = this.topups.find((one) => one.reference === reference && one.status === 'PROCESSING')!;
    this.end(topup, status);
  }

  /** Every token that it gave is refused from now on. */
  expireTokens(): void {
    this.valid = new Set();
  }

  /** What it called the top-up with this reference. */
  idOf(reference: string): string {
    return String(this.topups.find((one) => one.reference === reference)!.id);
  }

  /** Minor units of the recipient's currency that it was asked for. */
  askedFor(reference: string): bigint {
    const { requested, isLocal, operator } = this.topups.find((one) => one.reference === reference)!;
    return (isLocal ? requested : toLocal(requested, operator, this.currency)) / (UNIT / 100n);
  }

  /** Null: about no order of ours. */
  callback(reference: string | null, secret: string): CallbackRequest {
    const data = { transactionId: 4_602_843, status: 'SUCCESSFUL', customIdentifier: reference };
    const body = Buffer.from(JSON.stringify({ type: 'airtime_transaction.status', data }));
    return { body, headers: signed(body, secret) };
  }

  protected answer(heard: Heard, response: ServerResponse): void {
    const { method, path, headers } = heard;
    if (path === '/oauth/token') return this.signIn(heard, response);
    if (!this.valid.has(headers.authorization?.replace('Bearer ', '') ?? ''))
      return fail(response, 401, 'INVALID_TOKEN', path);
    if (headers.accept !== MEDIA_TYPE) return fail(response, 406, 'MEDIA_TYPE_NOT_ACCEPTABLE', path);
    if (path === '/accounts/balance') return this.tellFloat(response);
    if (path.startsWith('/operators/')) return this.tellOperator(path, response);
    if (method === 'POST' && path === '/topups') return this.sell(heard, response);
    if (method === 'POST' && path === '/topups-async') return this.sellLater(heard, response);
    if (path === '/topups/reports/transactions') return this.report(heard, response);
    const [, id] = /^\/topups\/(\d+)\/status$/.exec(path) ?? [];
    if (id !== undefined) return this.tellStatus(Number(id), path, response);
    send(response, 404, { timestamp: now(), status: 404, error: 'Not Found', message: 'No message available', path });
  }

  private signIn({ body, path }: Heard, response: ServerResponse): void {
    const { client_id: id, client_secret: secret, audience, grant_type: grant } = body ?? {};
    if (id !== this.clientId || secret !== this.clientSecret || grant !== 'client_credentials')
      return fail(response, 401, 'INVALID_CREDENTIALS', path);
    if (audience !== this.audience) return fail(response, 400, 'INVALID_AUDIENCE', path);
    const token = `eyJ.${randomUUID()}.sig`;
    this.tokens += 1;
    this.valid.add(token);
    send(response, 200, {
      access_token: token,
      scope: 'send-topups',
      expires_in: this.tokenSeconds,
      token_type: 'Bearer',
    });
  }

  private tellFloat(response: ServerResponse): void {
    send(response, 200, { balance: raw(this.float), currencyCode: this.currency, currencyName: '', updatedAt: now() });
  }

  private tellOperator(path: string, response: ServerResponse): void {
    const [, id] = /^\/operators\/(\d+)$/.exec(path) ?? [];
    const [, phone = ''] = /^\/operators\/auto-detect\/phone\/([^/]+)\/countries\/[A-Z]{2}$/.exec(path) ?? [];
    const number = decodeURIComponent(phone);
    const found = OPERATORS.find((one) =>
      id === undefined ? one.prefixes.some((prefix) => number.startsWith(prefix)) : one.id === Number(id),
    );
    if (found) return send(response, 200, operatorJson(found, this.currency));
    const isById = id !== undefined;
    fail(response, 404, isById ? 'OPERATOR_NOT_FOUND' : 'COULD_NOT_AUTO_DETECT_OPERATOR', path);
  }

  private sell(heard: Heard, response: ServerResponse): void {
    const plan = this.planOf(heard.body?.customIdentifier);
    const topup = this.book(heard, plan);
    if (typeof topup !== 'string') return this.answerAbout(topup, plan, { response, path: heard.path });
    const status = topup === 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE' ? 503 : 400;
    fail(response, status, topup, heard.path);
  }

  private sellLater(heard: Heard, response: ServerResponse): void {
    const plan = this.planOf(heard.body?.customIdentifier);
    const topup = this.book(heard, { ...plan, deed: plan.deed === 'refuses' ? 'refuses' : 'takes_its_time' });
    if (typeof topup === 'string') return fail(response, 400, topup, heard.path);
    if (plan.deed === 'delivers') setTimeout(() => this.end(topup, 'SUCCESSFUL'), ASYNC_MS).unref();
    if (plan.deed === 'stays_silent') return this.arrived(topup.reference);
    send(response, 200, { transactionId: topup.id });
  }

  /** The top-up, or the `errorCode` of its refusal, which leaves no record. */
  private book({ body }: Heard, { deed }: Plan): Topup | string {
    const { operatorId, amount, useLocalAmount, customIdentifier: reference, recipientPhone } = body ?? {};
    const { number, countryCode } = (recipientPhone ?? {}) as Record<string, unknown>;
    const operator = OPERATORS.find((one) => one.id === Number(operatorId));
    const requested = unitsOf(String(amount));
    if (requested === null || typeof reference !== 'string' || reference === '' || reference.length > 150)
      return 'INVALID_INPUT_PROVIDED';
    if (operator === undefined) return 'OPERATOR_NOT_FOUND';
    if (deed === 'refuses' || typeof number !== 'string' || countryCode !== operator.country)
      return 'INVALID_RECIPIENT_PHONE';
    if (!operator.isActive) return 'OPERATOR_UNAVAILABLE_OR_CURRENTLY_INACTIVE';
    const isKnown = this.topups.some((one) => one.reference.toLowerCase() === reference.toLowerCase());
    if (isKnown) return 'CUSTOM_IDENTIFIER_ALREADY_USED';
    if (Date.now() - (this.lastAt.get(number) ?? -Infinity) < this.minMsBetween) return 'PHONE_RECENTLY_RECHARGED';
    const isLocal = useLocalAmount === true;
    if (isLocal && !operator.sellsLocalAmounts) return 'LOCAL_AMOUNTS_NOT_SUPPORTED_BY_OPERATOR';
    if (!sells(operator, isLocal ? requested : toLocal(requested, operator, this.currency)))
      return isLocal ? 'INVALID_LOCAL_AMOUNT_FOR_OPERATOR' : 'INVALID_AMOUNT_FOR_OPERATOR';
    const cost = costOf(requested, isLocal, operator, this.currency);
    if (cost > this.float) return 'INSUFFICIENT_BALANCE';
    const order = { reference, operator, phone: number.replace('+', ''), requested, isLocal, cost };
    if (deed === 'sells_twice') this.keep(order, deed);
    return this.keep(order, deed);
  }

  private keep(order: Omit<Topup, 'id' | 'status' | 'balance'>, deed: Deed): Topup {
    const topup: Topup = { ...order, id: 4_602_843 + this.topups.length, status: 'PROCESSING', balance: null };
    this.topups.push(topup);
    this.lastAt.set(`+${order.phone}`, Date.now());
    if (deed === 'fails') topup.status = 'FAILED';
    else if (deed === 'refunds') topup.status = 'REFUNDED';
    else if (deed !== 'takes_its_time') this.end(topup, 'SUCCESSFUL');
    return topup;
  }

  private end(topup: Topup, status: 'SUCCESSFUL' | 'FAILED' | 'REFUNDED'): void {
    topup.status = status;
    if (status === 'SUCCESSFUL') {
      topup.balance = { old: this.float, new: this.float - topup.cost };
      this.float -= topup.cost;
      this.sales.set(topup.reference, (this.sales.get(topup.reference) ?? 0) + 1);
    }
    if (this.callbackUrl !== null) void this.callBack(topup);
  }

  /** Where nobody listens, nothing is said twice. */
  private async callBack(topup: Topup): Promise<void> {
    const data = this.topupJson(topup);
    const body = Buffer.from(JSON.stringify({ type: 'airtime_transaction.status', date: now(), data }));
    const url = new URL('callbacks/purchases/reloadly', `${this.callbackUrl!.replace(/\/$/, '')}/`);
    const headers = signed(body, this.webhookSecret);
    await fetch(url, { method: 'POST', body, headers }).catch(() => null);
  }

  private report({ query, path }: Heard, response: ServerResponse): void {
    const reference = query.get('customIdentifier') ?? '';
    const { deed, kind } = this.planOf(reference);
    const rows = this.topups.filter((one) => one.reference.toLowerCase() === reference.toLowerCase());
    if (deed === 'goes_dark') return this.arrived(reference);
    if (deed === 'reports_late') return send(response, 200, pageOf([]));
    if (deed === 'locks_us_out') {
      const [status, code] = ACCOUNT_WORDS[kind % ACCOUNT_WORDS.length]!;
      return fail(response, status, code, path);
    }
    if (deed === 'loses_its_mind') {
      const { page, topup } = NONSENSE[kind % NONSENSE.length]!;
      return topup === undefined
        ? page!(response)
        : send(response, 200, pageOf(rows.map((one) => topup({ ...this.topupJson(one) }))));
    }
    send(response, 200, pageOf(rows.map((one) => this.topupJson(one))));
  }

  private tellStatus(id: number, path: string, response: ServerResponse): void {
    const topup = this.topups.find((one) => one.id === id);
    if (topup === undefined) return fail(response, 404, 'TRANSACTION_NOT_FOUND', path);
    const { status } = topup;
    const transaction = status === 'SUCCESSFUL' ? this.topupJson(topup) : null;
    const isOver = status === 'FAILED' || status === 'REFUNDED';
    send(response, 200, { code: isOver ? 'TOPUP_TRANSACTION_FAILED' : null, message: null, status, transaction });
  }

  private answerAbout(topup: Topup, { deed, kind }: Plan, at: { response: ServerResponse; path: string }): void {
    const { response } = at;
    if (deed === 'stays_silent' || deed === 'goes_dark' || deed === 'locks_us_out')
      return this.arrived(topup.reference);
    if (deed === 'drips') return this.drip(topup, response);
    if (deed !== 'talks_nonsense' && deed !== 'loses_its_mind') return send(response, 200, this.topupJson(topup));
    const nonsense = NONSENSE[kind % NONSENSE.length]!;
    return nonsense.topup === undefined
      ? nonsense.page!(response)
      : send(response, 200, nonsense.topup({ ...this.topupJson(topup) }));
  }

  /** The answer is the right one up to its last byte, which never comes. */
  private drip(topup: Topup, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(this.topupJson(topup)).slice(0, -1), () => this.arrived(topup.reference));
    const drops = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(drops));
  }

  private topupJson(topup: Topup): Record<string, unknown> {
    const { operator, requested, isLocal, cost, balance, phone } = topup;
    const currencyCode = this.currency;
    return {
      transactionId: topup.id,
      status: topup.status,
      operatorTransactionId: topup.status === 'SUCCESSFUL' ? `${topup.id}:OrderConfirmed` : null,
      customIdentifier: topup.reference,
      recipientPhone: phone,
      recipientEmail: null,
      senderPhone: null,
      countryCode: operator.country,
      operatorId: operator.id,
      operatorName: operator.name,
      discount: raw(isLocal ? 0n : requested - cost),
      discountCurrencyCode: currencyCode,
      requestedAmount: raw(requested),
      requestedAmountCurrencyCode: isLocal ? operator.currency : currencyCode,
      deliveredAmount: raw(this.arrivedOf(topup)),
      deliveredAmountCurrencyCode: operator.currency,
      transactionDate: now(),
      fee: 0,
      pinDetail: operator.kind === 'pin' ? PIN : null,
      balanceInfo: balance && {
        oldBalance: raw(balance.old),
        newBalance: raw(balance.new),
        cost: raw(cost),
        currencyCode,
        currencyName: '',
        updatedAt: now(),
      },
    };
  }

  private arrivedOf({ reference, requested, isLocal, operator }: Topup): Units {
    const part = this.parts.get(reference);
    if (part !== undefined) return part * (UNIT / 100n);
    return isLocal ? requested : toLocal(requested, operator, this.currency);
  }

  private planOf(reference: unknown): Plan {
    if (typeof reference === 'string' && !this.plans.has(reference)) this.decide(reference);
    return this.plans.get(reference as string) ?? { deed: 'delivers', kind: 0 };
  }

  private arrived(reference: string): void {
    this.waiting.get(reference)?.();
  }
}

const PIN = {
  serial: '558111',
  info1: 'DIAL *611',
  info2: 'DIAL *611',
  info3: 'DIAL *611',
  value: null,
  code: '773709733097662',
  ivr: '1-888-888-8888',
  validity: '30 days',
};

function signed(body: Buffer, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', secret).update(body).update(`:${timestamp}`).digest('hex');
  return {
    'content-type': 'application/json',
    'x-reloadly-signature': signature,
    'x-reloadly-request-timestamp': timestamp,
  };
}

const now = (): string => new Date().toISOString().replace('T', ' ').slice(0, 19);

function fail(response: ServerResponse, status: number, errorCode: string, path: string): void {
  send(response, status, { timeStamp: now(), message: errorCode, path, errorCode, infoLink: null, details: [] });
}

const pageOf = (content: readonly unknown[]): object => ({
  content,
  pageable: { pageNumber: 0, pageSize: 10 },
  totalPages: 1,
  totalElements: content.length,
  last: true,
  first: true,
  size: 10,
  number: 0,
  empty: content.length === 0,
});

/** A number of JSON with five places, as they write it. */
function raw(units: Units): unknown {
  const digits = units.toString().padStart(6, '0');
  const text = `${digits.slice(0, -5)}.${digits.slice(-5)}`;
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}

function unitsOf(text: string): Units | null {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,5}))?$/.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(5, '0'));
}

/** In hundredths: `fx` has two places. */
const fxOf = (operator: PretendedOperator, currency: string): bigint =>
  operator.currency === currency ? 100n : BigInt(Math.round(operator.fx * 100));

const toLocal = (sent: Units, operator: PretendedOperator, currency: string): Units =>
  (sent * fxOf(operator, currency)) / 100n;

function costOf(requested: Units, isLocal: boolean, operator: PretendedOperator, currency: string): Units {
  if (!isLocal) return (requested * BigInt(100 - operator.discount)) / 100n;
  const fx = fxOf(operator, currency);
  return (requested * 100n + fx - 1n) / fx;
}

function sells({ amounts, isFixed }: PretendedOperator, local: Units): boolean {
  const [least, most] = amounts;
  if (isFixed) return amounts.some((amount) => BigInt(amount) * UNIT === local);
  return local >= BigInt(least!) * UNIT && local <= BigInt(most!) * UNIT;
}

const operatorJson = (operator: PretendedOperator, senderCurrencyCode: string): object => ({
  id: operator.id,
  operatorId: operator.id,
  name: operator.name,
  bundle: false,
  data: operator.kind === 'data',
  comboProduct: false,
  pin: operator.kind === 'pin',
  supportsLocalAmounts: operator.sellsLocalAmounts,
  denominationType: operator.isFixed ? 'FIXED' : 'RANGE',
  senderCurrencyCode,
  destinationCurrencyCode: operator.currency,
  internationalDiscount: operator.discount,
  localDiscount: 0,
  country: { isoName: operator.country, name: operator.country },
  fx: { rate: operator.fx, currencyCode: operator.currency },
  localFixedAmounts: operator.isFixed ? operator.amounts : [],
  promotions: [],
  status: operator.isActive ? 'ACTIVE' : 'INACTIVE',
});
