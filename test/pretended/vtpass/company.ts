import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { lagosMinute } from '../../../src/extensions/vtpass/request-id';
import { type Heard, Pretended, send, type StatementLine } from '../pretended';
import { MAGIC, type Service, SERVICES } from './catalogue';
import { NONSENSE } from './nonsense';

/** What it does about one order. */
export type Deed =
  | 'delivers'
  | 'refuses'
  /** Under way until `resolve` says otherwise. */
  | 'pends'
  | 'stays_silent'
  | 'answers_late'
  | 'answers_unexpectedly'
  | 'drips'
  | 'talks_nonsense'
  | 'locks_us_out'
  | 'goes_dark'
  | 'loses_its_mind';

type Status = 'initiated' | 'pending' | 'delivered' | 'failed' | 'reversed';

/** An order as it is kept. Amounts in kobo. */
export interface Transaction {
  readonly requestId: string;
  readonly transactionId: string;
  readonly serviceId: string;
  readonly customer: string;
  readonly quantity: number;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly at: number;
  status: Status;
}

interface Plan {
  readonly deed: Deed;
  readonly kind: number;
}

const KEYS = { apiKey: 'pretended-api-key', publicKey: 'PK_pretended', secretKey: 'SK_pretended' } as const;
const CALLBACK_SECRET = 'pretended-callback-secret';
const DUPLICATE_WITHIN_MS = 30_000;
const DRIP_MS = 20;
/** After it, an order that is under way by its number is delivered. */
const PENDS_MS = 5_000;
const LATE_MS = 60_000;
const TRIES = 5;
/** What it says of our account. An odd number of them: each is sent with either status. */
const ACCOUNT_WORDS = [
  ['021', 'ACCOUNT LOCKED'],
  ['018', 'LOW WALLET BALANCE'],
  ['027', 'IP NOT WHITELISTED, CONTACT SUPPORT'],
  ['087', 'INVALID CREDENTIALS'],
  ['022', 'ACCOUNT SUSPENDED'],
] as const;

const naira = (kobo: bigint): number => Number(kobo) / 100;
const koboOf = (amount: unknown): bigint | null => {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount)) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(2, '0'));
};
const says = (code: string, description: string): object => ({
  response_description: description,
  code,
  content: { errors: [] },
});

/** VTpass, as its documentation has it. With no plan every order is delivered, but those with its sandbox's numbers. */
export class Company extends Pretended {
  /** Kobo: goes down by what sales cost, and up by what was taken back. */
  balance = 100_000_000n;
  readonly transactions = new Map<string, Transaction>();
  readonly sales = new Map<string, number>();
  /** The account is as these words say, whatever is asked. */
  account: (typeof ACCOUNT_WORDS)[number] | null = null;
  /** It lists so many more plans than it has. */
  plansMore = 0;
  /** Hears of an order that nobody planned, when it is asked about it, and may plan it. */
  decide: (reference: string) => void = () => undefined;
  private readonly plans = new Map<string, Plan>();
  private readonly waiting = new Map<string, () => void>();
  private made = 0;

  get settings(): Readonly<Record<string, string>> {
    return {
      VTPASS_URL: `${this.url}api/`,
      VTPASS_API_KEY: KEYS.apiKey,
      VTPASS_PUBLIC_KEY: KEYS.publicKey,
      VTPASS_SECRET_KEY: KEYS.secretKey,
      VTPASS_PHONE: '08031234567',
      VTPASS_CALLBACK_SECRET: CALLBACK_SECRET,
    };
  }

  /** What was taken back is there with nothing. */
  get statement(): StatementLine[] {
    return [...this.transactions.values()].map(({ transactionId: reference, status, cost }) => ({
      reference,
      amount: status === 'delivered' ? cost : 0n,
    }));
  }

  plan(requestId: string, deed: Deed, kind = 0): void {
    this.plans.set(requestId, { deed, kind });
  }

  /** Resolves when it is asked about the order for the next time, and has begun to do what is planned. */
  begun(requestId: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(requestId, resolve));
  }

  /** What becomes of an order that is under way, or that was delivered; tells Duka. */
  async resolve(requestId: string, status: Status): Promise<void> {
    const transaction = this.transactions.get(requestId)!;
    if (status === 'reversed' || status === 'failed') this.balance += transaction.cost;
    transaction.status = status;
    if (this.callbackUrl !== null) await this.tell(this.callback(requestId));
  }

  /** As it calls back about an order; null: about what it sells. */
  callback(requestId: string | null): object {
    if (requestId === null) return { type: 'variations-update', serviceID: 'mtn-data', summary: {}, data: {} };
    const transaction = this.transactions.get(requestId);
    const data = transaction ? this.answerOf(transaction, true) : { code: '000', requestId, content: {} };
    return { type: 'transaction-update', data };
  }

  protected async answer(heard: Heard, response: ServerResponse): Promise<void> {
    const route = `${heard.method} ${heard.path}`;
    if (route === 'GET /api/service-variations') return this.variations(heard.query.get('serviceID'), response);
    const key = heard.method === 'GET' ? ['public-key', KEYS.publicKey] : ['secret-key', KEYS.secretKey];
    if (heard.headers['api-key'] !== KEYS.apiKey || heard.headers[key[0]!] !== key[1])
      return send(response, 401, { code: '087', message: 'INVALID CREDENTIALS' });
    if (this.account !== null) return send(response, 200, says(this.account[0], this.account[1]));
    const body = heard.body ?? {};
    if (route === 'GET /api/balance')
      return send(response, 200, { code: 1, contents: { balance: naira(this.balance) } });
    if (route === 'POST /api/merchant-verify') return send(response, 200, this.customer(body));
    if (route === 'POST /api/requery') return this.requery(String(body.request_id), response);
    if (route === 'POST /api/pay') return this.pay(body, response);
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
  }

  private async pay(body: Readonly<Record<string, unknown>>, response: ServerResponse): Promise<void> {
    const requestId = typeof body.request_id === 'string' ? body.request_id : '';
    const fault = this.faultOf(requestId, body);
    if (fault !== null) return send(response, 200, fault);
    const magic = MAGIC[String(body.billersCode ?? body.phone) as keyof typeof MAGIC] ?? 'delivers';
    const planned = this.planned(requestId);
    const plan = planned ?? { deed: magic, kind: 0 };
    this.plans.set(requestId, plan);
    this.book(requestId, body, plan.deed);
    if (planned === undefined && magic === 'pends')
      setTimeout(() => void this.resolve(requestId, 'delivered'), PENDS_MS).unref();
    await this.act(requestId, plan, response);
  }

  /** What is wrong with an order; null: nothing. */
  private faultOf(requestId: string, body: Readonly<Record<string, unknown>>): object | null {
    const { serviceID, phone, billersCode, variation_code: variation } = body;
    const service = SERVICES[String(serviceID)];
    if (requestId === '' || typeof phone !== 'string' || serviceID === undefined)
      return says('011', 'INVALID ARGUMENTS');
    if (!/^\d{12}/.test(requestId)) return says('085', 'IMPROPER REQUEST ID: DOES NOT CONTAIN DATE');
    if (requestId.slice(0, 8) !== lagosMinute(new Date()).slice(0, 8))
      return says('085', 'IMPROPER REQUEST ID: DATE NOT TODAY’S DATE');
    if (this.transactions.has(requestId)) return says('014', 'REQUEST ID ALREADY EXIST');
    if (service === undefined) return says('012', 'PRODUCT DOES NOT EXIST');
    const isRenewal = body.subscription_type === 'renew';
    if (service.prices && !isRenewal && !Object.hasOwn(service.prices, String(variation)))
      return says('010', 'VARIATION CODE DOES NOT EXIST');
    const { amount, cost, customer } = this.termsOf(service, body);
    if (amount < BigInt(service.min ?? 0)) return says('013', 'BELOW MINIMUM AMOUNT ALLOWED');
    const since = Date.now() - DUPLICATE_WITHIN_MS;
    const isTwin = [...this.transactions.values()].some(
      (one) => one.serviceId === serviceID && one.customer === customer && one.at > since && billersCode !== '',
    );
    if (isTwin) return says('019', 'LIKELY DUPLICATE TRANSACTION');
    return cost > this.balance ? says('018', 'LOW WALLET BALANCE') : null;
  }

  private termsOf(service: Service, body: Readonly<Record<string, unknown>>) {
    const { variation_code: variation, amount: asked, billersCode, phone, quantity: times } = body;
    const quantity = Number(times ?? 1);
    const price = service.prices?.[String(variation)];
    const isPriced = price !== undefined && (asked === undefined || service.type !== 'TV Subscription');
    const amount = isPriced ? BigInt(price * quantity) : (koboOf(asked) ?? 0n);
    const cost = amount - (amount * BigInt(service.commissionBps)) / 10_000n;
    return { quantity, amount, cost, customer: String(billersCode ?? phone) };
  }

  private book(requestId: string, body: Readonly<Record<string, unknown>>, deed: Deed): void {
    const serviceId = String(body.serviceID);
    const isSold = deed !== 'refuses';
    const status: Status = isSold ? (deed === 'pends' ? 'pending' : 'delivered') : 'failed';
    const transactionId = `1741599157873954818${String(++this.made).padStart(7, '0')}`;
    const terms = this.termsOf(SERVICES[serviceId]!, body);
    this.transactions.set(requestId, { requestId, transactionId, serviceId, ...terms, at: Date.now(), status });
    if (!isSold) return;
    this.sales.set(requestId, (this.sales.get(requestId) ?? 0) + 1);
    this.balance -= terms.cost;
  }

  private async requery(requestId: string, response: ServerResponse): Promise<void> {
    const plan = this.planned(requestId) ?? { deed: 'delivers', kind: 0 };
    if (plan.deed === 'locks_us_out') {
      const [code, description] = ACCOUNT_WORDS[plan.kind % ACCOUNT_WORDS.length]!;
      return send(response, plan.kind % 2 === 0 ? 200 : 401, says(code, description));
    }
    const isItself = plan.deed !== 'goes_dark' && plan.deed !== 'loses_its_mind';
    if (!isItself) return this.act(requestId, plan, response);
    const transaction = this.transactions.get(requestId);
    send(response, 200, transaction ? this.answerOf(transaction, true) : says('015', 'INVALID REQUEST ID'));
  }

  private planned(requestId: string): Plan | undefined {
    if (!this.plans.has(requestId)) this.decide(requestId);
    return this.plans.get(requestId);
  }

  private async act(requestId: string, { deed, kind }: Plan, response: ServerResponse): Promise<void> {
    const transaction = this.transactions.get(requestId);
    if (deed === 'stays_silent' || deed === 'goes_dark' || deed === 'locks_us_out') return this.arrived(requestId);
    if (deed === 'answers_unexpectedly') return send(response, 200, says('999', 'UNEXPECTED RESPONSE'));
    if (transaction === undefined) return send(response, 200, says('015', 'INVALID REQUEST ID'));
    const answer = this.answerOf(transaction, false);
    if (deed === 'drips') return this.drip(requestId, answer, response);
    if (deed === 'talks_nonsense' || deed === 'loses_its_mind')
      return NONSENSE[kind % NONSENSE.length]!(response, answer);
    if (deed === 'answers_late')
      await once(response, 'close', { signal: AbortSignal.timeout(LATE_MS) }).catch(() => null);
    send(response, 200, answer);
  }

  /** The answer is the right one up to its last byte, which never comes. */
  private drip(requestId: string, answer: object, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(JSON.stringify(answer).slice(0, -1), () => this.arrived(requestId));
    const drops = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(drops));
  }

  /** Amounts come as text in the answer to an order, and as numbers at a requery. */
  private answerOf(transaction: Transaction, isRequery: boolean): Record<string, unknown> {
    const { requestId, transactionId, serviceId, customer, quantity, amount, cost, status } = transaction;
    const service = SERVICES[serviceId]!;
    const shown = isRequery ? naira(amount) : `${naira(amount)}`;
    const [code, description] = WORDS[status];
    return {
      code,
      content: {
        transactions: {
          status,
          product_name: service.name,
          unique_element: customer,
          unit_price: shown,
          quantity,
          service_verification: null,
          channel: 'api',
          // Rounded at a requery, where the total is not.
          commission: isRequery ? Math.round(naira(amount - cost)) : naira(amount - cost),
          total_amount: naira(cost),
          discount: null,
          type: service.type,
          convinience_fee: 0,
          amount: shown,
          platform: 'api',
          method: isRequery ? 'wallet' : 'api',
          transactionId,
        },
      },
      response_description: description,
      requestId,
      amount: status === 'reversed' ? naira(cost) : naira(amount),
      transaction_date: new Date(transaction.at).toISOString(),
      ...(status === 'delivered' ? goodsOf(transaction, service) : { purchased_code: '' }),
    };
  }

  private customer({ serviceID, billersCode, type }: Readonly<Record<string, unknown>>): object {
    const service = SERVICES[String(serviceID)];
    if (service === undefined) return says('012', 'PRODUCT DOES NOT EXIST');
    const isMeter = service.goods === 'token';
    if (isMeter && type !== 'prepaid' && type !== 'postpaid') return says('011', 'INVALID ARGUMENTS');
    const number = String(billersCode);
    if (number === '300000000000') return says('030', 'BILLER NOT REACHABLE AT THIS POINT');
    if (/^0+$/.test(number))
      return {
        code: '000',
        content: {
          error: `This meter is not correct or is not a valid ${service.name} meter.`,
          WrongBillersCode: true,
        },
      };
    const content = isMeter
      ? {
          Customer_Name: 'TESTMETER1',
          Address: 'ABULE EGBA BU ABULE',
          Meter_Number: number,
          Customer_Arrears: '',
          Min_Purchase_Amount: 500,
        }
      : {
          Customer_Name: 'TEST METER',
          Status: 'ACTIVE',
          Current_Bouquet_Code: Object.keys(service.prices ?? {})[0],
          Renewal_Amount: '1850.00',
        };
    return { code: '000', content: { ...content, WrongBillersCode: false } };
  }

  private variations(serviceId: string | null, response: ServerResponse): void {
    const service = SERVICES[serviceId ?? ''];
    if (service?.prices === undefined) return send(response, 200, says('012', 'PRODUCT DOES NOT EXIST'));
    const more = Array.from({ length: this.plansMore }, (_, i) => [`more-${i}`, 10_000 + 100 * i] as const);
    const variations = [...Object.entries(service.prices), ...more].map(([code, price]) => ({
      variation_code: code,
      name: `N${price / 100} 1GB - 30 days`,
      variation_amount: (price / 100).toFixed(2),
      fixedPrice: 'Yes',
    }));
    const content = {
      ServiceName: service.name,
      serviceID: serviceId,
      convinience_fee: '0 %',
      variations,
      varations: variations,
    };
    send(response, 200, { response_description: '000', content });
  }

  /** Up to five times, until the answer is what it wants: Duka's is not. */
  private async tell(callback: object): Promise<void> {
    const address = new URL(`callbacks/purchases/vtpass?secret=${CALLBACK_SECRET}`, this.callbackUrl!);
    for (let i = 0; i < TRIES; i++) {
      const body = JSON.stringify(callback);
      const answer = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }).catch(() => null);
      const told = (await answer?.json().catch(() => null)) as { response?: string } | null;
      if (told?.response === 'success') return;
    }
  }

  private arrived(requestId: string): void {
    this.waiting.get(requestId)?.();
  }
}

const WORDS: Readonly<Record<Status, readonly [string, string]>> = {
  initiated: ['000', 'TRANSACTION PROCESSING - PENDING'],
  pending: ['000', 'TRANSACTION PROCESSING - PENDING'],
  delivered: ['000', 'TRANSACTION SUCCESSFUL'],
  failed: ['016', 'TRANSACTION FAILED'],
  reversed: ['040', 'TRANSACTION REVERSAL TO WALLET'],
};

/** What is bought, as each product shows it; the same whenever it is asked for. */
function goodsOf({ transactionId, quantity }: Transaction, { goods }: Service): object {
  const digits = transactionId.slice(-12);
  const token = `Token : 26362054${digits}`;
  if (goods === 'token')
    return { purchased_code: token, token, units: '79.9 kWh', exchangeReference: digits.slice(-8), kct1: 'N/A' };
  if (goods === 'pin') return { purchased_code: `Pin : 3678${digits}`, Pin: `Pin : 3678${digits}` };
  const pieces = Array.from({ length: quantity }, (_, i) => `${i}${digits}`);
  if (goods === 'tokens') return { purchased_code: `Token: ${pieces[0]}`, tokens: pieces };
  if (goods !== 'cards') return { purchased_code: '' };
  const cards = pieces.map((piece) => ({ Serial: `WRN${piece}`, Pin: `09${piece}` }));
  return { purchased_code: cards.map(({ Serial, Pin }) => `Serial No:${Serial}, pin: ${Pin}`).join('||'), cards };
}
