import type { ServerResponse } from 'node:http';
import { type Heard, Pretended, send } from '../pretended';
import { type ErrorCode, fail } from './errors';
import { NONSENSE } from './nonsense';
import {
  decimal,
  money,
  operatorJson,
  OPERATORS,
  type PretendedProduct,
  productBase,
  productJson,
  PRODUCTS,
  toDollars,
  toLocal,
  UNIT,
  type Units,
  unitsOf,
  wholesaleOf,
} from './products';

const DRIP_MS = 20;
const DAY_MS = 24 * 60 * 60_000;

/** What it does about a transaction with a reference; of none it is told, it delivers. */
export type Deed =
  | 'delivers'
  /** Refuses before anything is done, with `refusal`: there is no record of it. */
  | 'refuses'
  | 'stays_silent'
  | 'drips'
  | 'talks_nonsense'
  | 'locks_us_out'
  | 'goes_dark'
  | 'loses_its_mind'
  /** SUBMITTED until `settle`. */
  | 'takes_its_time'
  /** The operator does not deliver: DECLINED, with its reason. */
  | 'declines'
  /** DT One takes the order and rejects it: REJECTED, for an empty balance. */
  | 'rejects'
  /** Delivers, and its list does not have it yet. */
  | 'lists_late'
  /** Its check of references fails: two are sold. */
  | 'sells_twice';

interface Plan {
  readonly deed: Deed;
  readonly kind: number;
}

const CLASSES = {
  CREATED: 1,
  CONFIRMED: 2,
  REJECTED: 3,
  CANCELLED: 4,
  SUBMITTED: 5,
  COMPLETED: 7,
  REVERSED: 8,
  DECLINED: 9,
} as const;
type Class = keyof typeof CLASSES;

interface Value {
  readonly mode: 'SOURCE_AMOUNT' | 'DESTINATION_AMOUNT';
  readonly dollars: Units;
  readonly local: Units;
}

export interface Transaction {
  readonly id: number;
  readonly reference: string;
  readonly product: PretendedProduct;
  readonly phone: string;
  /** Of a product with a range. */
  readonly value: Value | null;
  readonly cost: Units;
  readonly callbackUrl: string | null;
  readonly createdAt: number;
  of: Class;
  message: string;
  isPin: boolean;
}

/** What it says of our account, whatever it is asked. */
const ACCOUNT_WORDS: readonly ErrorCode[] = [1_000_401, 1_006_001, 1_000_429, 1_006_009, 1_003_001];

/** The last three digits of a number say in their sandbox what becomes of it: `102` is declined after 3 s. */
const ENDINGS: Readonly<Record<string, string>> = {
  0: 'COMPLETED',
  1: 'COMPLETED',
  2: 'DECLINED-INVALID-CREDIT-PARTY',
  3: 'DECLINED-BARRED-CREDIT-PARTY',
  4: 'DECLINED-OPERATOR-CURRENTLY-UNAVAILABLE',
  5: 'DECLINED-DUPLICATED-TRANSACTION',
  6: 'DECLINED',
  7: 'DECLINED-EXCEPTION',
};

/** DT One on a port of this machine: balances, products, look-ups, transactions and callbacks. */
export class Company extends Pretended {
  readonly key = 'pretended-key';
  secret = 'pretended-secret';
  /** Of Duka: what addresses for callbacks are signed with. */
  readonly callbackSecret = 'pretended-callback-secret';
  /** In dollars, in 1/100,000. */
  available: Units = 1_000_000n * UNIT;
  /** What is held while transactions are under way. */
  holding: Units = 0n;
  /** Other balances of ours, as they are told. */
  readonly otherBalances: object[] = [];
  /** How many transactions were completed under a reference. */
  readonly sales = new Map<string, number>();
  /** What `refuses` says. */
  refusal: ErrorCode = 1_005_003;
  /** Why `declines` says that the operator did not. */
  reason = 'DECLINED';
  perPageMax = 100;
  /** Whether a reference that is not known is a list with nothing in it, or a 404. */
  saysNotFound = false;
  /** After what time an operator answers whose number says nothing of it. */
  operatorMs = 1_000;
  /** How long it takes where the number says so. */
  readonly sandboxMs: Record<string, number> = { 1: 3_000, 2: 20_000, 3: 300_000 };
  /** Hears of an order that nobody planned, when it is asked about it, and may plan it. */
  decide: (reference: string) => void = () => undefined;
  readonly transactions: Transaction[] = [];
  private readonly plans = new Map<string, Plan>();
  private readonly waiting = new Map<string, () => void>();

  get settings(): Readonly<Record<string, string>> {
    return {
      DTONE_KEY: this.key,
      DTONE_SECRET: this.secret,
      DTONE_URL: `${this.url}v1/`,
      DTONE_CALLBACK_SECRET: this.callbackSecret,
    };
  }

  /** All of it, held or not. */
  get float(): Units {
    return this.available + this.holding;
  }

  plan(reference: string, deed: Deed, kind = 0): void {
    this.plans.set(reference, { deed, kind });
  }

  /** Resolves when it is asked about the reference for the next time, and has begun to do what is planned. */
  begun(reference: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(reference, resolve));
  }

  /** Ends what takes its time, or takes back what was completed. Resolves when it was told. */
  settle(reference: string, message: string): Promise<void> {
    return this.end(
      this.transactions.find((one) => one.reference === reference)!,
      message,
    );
  }

  /** What it called the transaction with this reference. */
  idOf(reference: string): string {
    return String(this.transactions.find((one) => one.reference === reference)!.id);
  }

  protected answer(heard: Heard, response: ServerResponse): void | Promise<void> {
    const basic = Buffer.from(`${this.key}:${this.secret}`).toString('base64');
    if (!heard.path.startsWith('/v1/')) return send(response, 404, '<html>Not found</html>');
    if (heard.headers.authorization !== `Basic ${basic}`) return fail(response, 1_000_401);
    const path = heard.path.slice(3);
    if (heard.method === 'POST') return this.post(path, heard, response);
    if (path === '/balances') return send(response, 200, [this.balanceJson(), ...this.otherBalances]);
    if (path === '/products')
      return this.list(
        PRODUCTS.filter((one) => isWanted(one, heard.query)),
        heard,
        response,
      );
    if (path === '/transactions') return this.tellAll(heard, response);
    const [, what, id] = /^\/(products|transactions)\/(\d+)$/.exec(path) ?? [];
    if (what === 'transactions') return this.tell(id!, response);
    const product = PRODUCTS.find((one) => String(one.id) === id);
    if (what !== 'products') return fail(response, 1_000_404);
    return product ? send(response, 200, productJson(product)) : fail(response, 1_003_001);
  }

  private post(path: string, heard: Heard, response: ServerResponse): void | Promise<void> {
    if (path === '/lookup/mobile-number') return this.lookUp(heard, response);
    const [, mode] = /^\/(sync|async)\/transactions$/.exec(path) ?? [];
    if (mode !== undefined) return this.sell(heard, mode === 'sync', response);
    const [, id, step] = /^(?:\/a?sync)?\/transactions\/(\d+)\/(confirm|cancel)$/.exec(path) ?? [];
    return id === undefined ? fail(response, 1_000_404) : this.step(id, step!, response);
  }

  private lookUp({ body }: Heard, response: ServerResponse): void {
    const phone = body?.mobile_number;
    if (typeof phone !== 'string' || !/^\+[1-9][0-9]{6,14}$/.test(phone)) return fail(response, 1_005_003);
    const isTheirs = ({ prefixes }: (typeof OPERATORS)[number]) => prefixes.some((prefix) => phone.startsWith(prefix));
    const countries = new Set(OPERATORS.filter(isTheirs).map(({ country }) => country));
    const found = OPERATORS.filter(({ country }) => countries.has(country));
    send(
      response,
      200,
      found.map((one) => ({ ...operatorJson(one), identified: isTheirs(one) })),
    );
  }

  private list(products: readonly PretendedProduct[], { query }: Heard, response: ServerResponse): void {
    const [page, wanted] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)];
    const size = Math.min(wanted, this.perPageMax);
    const pages = Math.max(1, Math.ceil(products.length / size));
    const headers = { 'x-total': `${products.length}`, 'x-total-pages': `${pages}`, 'x-page': `${page}` };
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    send(response, 200, products.slice((page - 1) * size, page * size).map(productJson));
  }

  private async sell(heard: Heard, isSync: boolean, response: ServerResponse): Promise<void> {
    const { deed, kind } = this.planOf(heard.body?.external_id);
    const made = this.book(heard, deed);
    if (typeof made === 'number') return fail(response, made);
    const isUsual = deed === 'delivers' || deed === 'takes_its_time';
    if (deed === 'takes_its_time') set(made, 'SUBMITTED');
    else if (!isUsual) void this.end(made, this.endingOf(deed));
    else if (made.of === 'CONFIRMED') {
      const waits = this.process(made);
      if (isSync) await waits;
    }
    if (deed === 'stays_silent' || deed === 'goes_dark' || deed === 'locks_us_out') return this.arrived(made.reference);
    if (deed === 'drips') return this.drip(made, response);
    const nonsense = NONSENSE[kind % NONSENSE.length]!;
    if (isUsual || (deed !== 'talks_nonsense' && deed !== 'loses_its_mind'))
      return send(response, 201, this.transactionJson(made, isSync || !isUsual));
    if (nonsense.page) return nonsense.page(response);
    send(response, 201, nonsense.transaction!(this.transactionJson(made)) as object);
  }

  private endingOf(deed: Deed): string {
    if (deed === 'declines') return this.reason;
    return deed === 'rejects' ? 'REJECTED-INSUFFICIENT-BALANCE' : 'COMPLETED';
  }

  /** As the operator answers: after a while, and as its number says. */
  private process(made: Transaction): Promise<void> {
    const [, delay, ending] = /([123])0([0-7])$/.exec(made.phone) ?? [];
    const after = delay === undefined ? this.operatorMs : this.sandboxMs[delay]!;
    made.isPin = ending === '1';
    const end = () => void this.end(made, ending === undefined ? 'COMPLETED' : ENDINGS[ending]!);
    if (after === 0) return Promise.resolve(end());
    return new Promise((resolve) => setTimeout(() => resolve(end()), after).unref());
  }

  /** The transaction, or the error that refuses it: that leaves no record. */
  private book({ body, path }: Heard, deed: Deed): Transaction | ErrorCode {
    const { external_id: reference, product_id: id, auto_confirm: isConfirmed, callback_url: url } = body ?? {};
    const phone = (body?.credit_party_identifier as Record<string, unknown> | undefined)?.mobile_number;
    if (typeof reference !== 'string' || !/\S/.test(reference) || reference.length > 40) return 1_000_400;
    if (typeof id !== 'number' || (path.includes('/sync/') && url !== undefined)) return 1_000_400;
    const product = PRODUCTS.find((one) => one.id === id);
    if (product === undefined) return 1_003_001;
    if (deed === 'refuses') return this.refusal;
    if (typeof phone !== 'string' || !/^\+[1-9][0-9]{6,14}$/.test(phone)) return 1_005_003;
    if (product.needs !== undefined) return 1_000_400;
    if (this.transactions.some((one) => one.reference === reference)) return 1_007_001;
    const value = valueOf(product, body!);
    if (typeof value === 'number') return value;
    const cost = wholesaleOf(value?.dollars ?? toDollars(BigInt(product.amounts[0]!) * UNIT, product.currency));
    if (cost > this.available) return 1_006_001;
    const order = { reference, product, phone, value, cost, callbackUrl: typeof url === 'string' ? url : null };
    if (deed === 'sells_twice') this.keep(order, isConfirmed === true);
    return this.keep(order, isConfirmed === true);
  }

  private keep(
    order: Omit<Transaction, 'id' | 'of' | 'message' | 'createdAt' | 'isPin'>,
    isConfirmed: boolean,
  ): Transaction {
    const id = 2_237_512_891 + this.transactions.length;
    const made: Transaction = { ...order, id, createdAt: Date.now(), of: 'CREATED', message: 'CREATED', isPin: false };
    this.available -= made.cost;
    this.holding += made.cost;
    if (isConfirmed) set(made, 'CONFIRMED');
    this.transactions.push(made);
    return made;
  }

  private step(id: string, step: string, response: ServerResponse): void | Promise<void> {
    const made = this.transactions.find((one) => String(one.id) === id);
    if (made === undefined) return fail(response, 1_008_004);
    if (made.of === 'CANCELLED') return fail(response, step === 'confirm' ? 1_007_004 : 1_007_005);
    if (made.of !== 'CREATED') return fail(response, step === 'confirm' ? 1_007_002 : 1_007_007);
    if (step === 'cancel') void this.end(made, 'CANCELLED');
    else set(made, 'CONFIRMED');
    send(response, 202, this.transactionJson(made));
    if (step === 'confirm') void this.process(made);
  }

  /** Moves the balance as the status says, and calls back where its kind is told. */
  private async end(made: Transaction, message: string): Promise<void> {
    const before = made.of;
    set(made, message);
    if (made.of === 'SUBMITTED') return;
    if (made.of === 'REVERSED') this.available += made.cost;
    else this.holding -= made.cost;
    if (made.of === 'COMPLETED') this.sales.set(made.reference, (this.sales.get(made.reference) ?? 0) + 1);
    else if (before !== 'COMPLETED') this.available += made.cost;
    if (made.of !== 'CANCELLED') await this.callBack(made);
  }

  /** Where nobody listens, nothing is said twice. */
  private async callBack(made: Transaction): Promise<void> {
    if (made.callbackUrl === null) return;
    const { pathname, search } = new URL(made.callbackUrl);
    const url = this.callbackUrl === null ? made.callbackUrl : new URL(pathname + search, this.callbackUrl);
    const body = JSON.stringify(this.transactionJson(made));
    await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } }).catch(() => null);
  }

  private tellAll({ query }: Heard, response: ServerResponse): void {
    const reference = query.get('external_id');
    const { deed, kind } = this.planOf(reference);
    if (deed === 'goes_dark') return this.arrived(reference!);
    if (deed === 'locks_us_out') return fail(response, ACCOUNT_WORDS[kind % ACCOUNT_WORDS.length]!);
    const rows = deed === 'lists_late' ? [] : this.transactions.filter((one) => one.reference === reference);
    const nonsense = NONSENSE[kind % NONSENSE.length]!;
    if (deed === 'loses_its_mind' && nonsense.page) return nonsense.page(response);
    if (rows.length === 0 && this.saysNotFound) return fail(response, 1_008_004);
    const told = rows.map((one) => this.transactionJson(one));
    response.setHeader('x-total', `${rows.length}`);
    send(response, 200, deed === 'loses_its_mind' ? told.map(nonsense.transaction!) : told);
  }

  private tell(id: string, response: ServerResponse): void {
    const made = this.transactions.find((one) => String(one.id) === id);
    if (made === undefined) return fail(response, 1_008_004);
    send(response, 200, this.transactionJson(made));
  }

  /** The answer is the right one up to its last byte, which never comes. */
  private drip(made: Transaction, response: ServerResponse): void {
    response.writeHead(201, { 'content-type': 'application/json' });
    response.write(JSON.stringify(this.transactionJson(made)).slice(0, -1), () => this.arrived(made.reference));
    const drops = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(drops));
  }

  private balanceJson(): object {
    const [available, holding] = [decimal(this.available), decimal(this.holding)];
    return { id: 1, unit_type: 'CURRENCY', unit: 'USD', available, holding, credit_limit: 0 };
  }

  /** As it stands; before the operator answered, where one waits for nothing. */
  private transactionJson(made: Transaction, isNow = true): Record<string, unknown> {
    const { product, value, of, message, isPin } = made;
    const at = (ms: number): string => new Date(made.createdAt + ms).toISOString().replace('Z', '000000Z');
    const status = isNow ? statusOf(of, message) : statusOf('CONFIRMED', 'CONFIRMED');
    const isDone = isNow && of === 'COMPLETED';
    return {
      id: made.id,
      external_id: made.reference,
      creation_date: at(0),
      confirmation_expiration_date: at(DAY_MS / 24),
      confirmation_date: of === 'CREATED' ? null : at(0),
      status,
      operator_reference: isDone ? `OP${made.id}` : null,
      pin: isDone && isPin ? { code: '773709733097662', serial: '558111' } : null,
      product: productBase(product),
      prices: { wholesale: { ...money('USD', decimal(made.cost)), fee: 0 }, retail: null },
      rates: { base: 1, wholesale: 1, retail: null },
      benefits: null,
      promotions: null,
      requested_values: value && {
        source: money('USD', decimal(value.dollars)),
        destination: money(product.currency, decimal(value.local)),
      },
      adjusted_values: null,
      sender: null,
      beneficiary: null,
      debit_party_identifier: null,
      credit_party_identifier: { mobile_number: made.phone },
      statement_identifier: null,
      ...(made.callbackUrl !== null && { callback_url: made.callbackUrl }),
    };
  }

  private planOf(reference: unknown): Plan {
    if (typeof reference === 'string' && !this.plans.has(reference)) this.decide(reference);
    return this.plans.get(reference as string) ?? { deed: 'delivers', kind: 0 };
  }

  private arrived(reference: string): void {
    this.waiting.get(reference)?.();
  }
}

const REASON_IDS: readonly string[] = Object.values(ENDINGS);

function set(made: Transaction, message: string): void {
  made.message = message;
  made.of = message.split('-')[0] as Class;
}

const statusOf = (of: Class, message: string): object => ({
  id: CLASSES[of] * 10_000 + Math.max(0, message === of ? 0 : 200 + REASON_IDS.indexOf(message)),
  message,
  class: { id: CLASSES[of], message: of },
});

/** What is asked of a product with a range; a number: the error that refuses it. */
function valueOf(product: PretendedProduct, body: Readonly<Record<string, unknown>>): Value | null | ErrorCode {
  if (product.amounts.length === 1) return null;
  const mode = body.calculation_mode as Value['mode'];
  if (!product.modes?.includes(mode)) return 1_000_400;
  const isLocal = mode === 'DESTINATION_AMOUNT';
  const { unit, unit_type: type, amount } = (isLocal ? body.destination : body.source) as Record<string, unknown>;
  if (type !== 'CURRENCY' || unit !== (isLocal ? product.currency : 'USD')) return 1_003_003;
  const asked = typeof amount === 'number' ? unitsOf(amount) : null;
  if (asked === null) return 1_000_400;
  const local = isLocal ? asked : toLocal(asked, product.currency);
  const dollars = isLocal ? toDollars(asked, product.currency) : asked;
  const [least, most] = product.amounts.map((one) => BigInt(one) * UNIT);
  const isStep = !isLocal || (local - least!) % (BigInt(product.increment ?? 1) * UNIT) === 0n;
  return local < least! || local > most! || !isStep ? 1_003_002 : { mode, dollars, local };
}

function isWanted(product: PretendedProduct, query: URLSearchParams): boolean {
  const wants = (name: string, value: unknown) => !query.has(name) || query.get(name) === String(value);
  return (
    wants('operator_id', product.operator.id) &&
    wants('service_id', 1) &&
    wants('subservice_id', product.subservice?.id) &&
    wants('country_iso_code', product.operator.country) &&
    wants('type', product.type)
  );
}
