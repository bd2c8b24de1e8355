import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallbackRequest } from '../../../src/providers/answers';
import type { Deed } from '../../contracts/rig';
import { type Heard, Pretended, type StatementLine } from '../pretended';
import { asNumber, kobo, No, NONSENSE, say, textOf, yesOf } from './answers';
import { Collections, type Payment } from './collections';
import { DONE, madeBody, type Outcome, summaryBody, Transfers } from './transfers';

const API_KEY = 'MK_TEST_PRETENDED';
const SECRET = 'pretended-secret-key';
const WALLET = '9988776655';
const CONTRACT = '1234567890';
const EMAIL_DOMAIN = 'pay.example.com';
const DRIP_MS = 20;

/** What it says of us, and nothing of the transfer. */
const LOCKED: readonly No[] = [
  new No(403, '99', 'Merchant is not permitted to perform this operation'),
  new No(422, 'D04', 'Insufficient wallet balance'),
  new No(403, 'D06', 'Unauthorized request'),
  new No(401, '99', 'Invalid token'),
];

interface Plan {
  readonly deed: Deed;
  /** Which kind of nonsense it talks, or of words about us. */
  readonly kind: number;
  readonly outcome: Outcome;
  /** It refuses with this. */
  readonly no: No | null;
}

/**
 * Monnify, as its documentation and its own client libraries have it. Alone it lets every transfer succeed; `POST
 * /pretend/pay` with `{accountNumber, amount}` (naira) is a payer, as the payment simulator of the sandbox is.
 */
export class Company extends Pretended {
  readonly transfers = new Transfers(WALLET);
  readonly collections = new Collections(CONTRACT, (amount) => void (this.transfers.balance += amount));
  /** Logged in so many times. */
  logins = 0;
  /** Paths about which it answers nothing but nonsense, by their beginning. */
  madAbout: string | null = null;
  /** What becomes of transfers that nobody planned. */
  otherwise: Outcome = DONE;
  /** What is said to name enquiries; null: the name. */
  noName: No | null = null;
  /** Hears of an order that nobody planned, when it is asked about it, and may plan it. */
  decide: (reference: string) => void = () => undefined;
  private readonly tokens = new Set<string>();
  private readonly plans = new Map<string, Plan>();
  private readonly waiting = new Map<string, () => void>();

  get settings(): Readonly<Record<string, string>> {
    return {
      MONNIFY_URL: this.url,
      MONNIFY_API_KEY: API_KEY,
      MONNIFY_SECRET_KEY: SECRET,
      MONNIFY_SOURCE_ACCOUNT: WALLET,
      MONNIFY_CONTRACT_CODE: CONTRACT,
      MONNIFY_EMAIL_DOMAIN: EMAIL_DOMAIN,
    };
  }

  /** Kobo in our wallet, into which what was collected is settled at once. */
  get balance(): bigint {
    return this.transfers.balance;
  }

  /** What was given back is there with nothing. */
  get statement(): StatementLine[] {
    return [...this.transfers.statement, ...this.collections.statement];
  }

  /** `outcome`: what becomes of the transfer; `no`: it is refused so. */
  plan(reference: string, deed: Deed, { kind = 0, outcome = DONE, no = null }: Partial<Plan> = {}): void {
    const refused = deed === 'refuses' ? new No(422, 'D03', 'Invalid account details supplied.') : null;
    this.plans.set(reference, { deed, kind, outcome, no: no ?? refused });
  }

  /** Resolves when it is asked about the reference for the next time, and has begun to do what is planned. */
  begun(reference: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(reference, resolve));
  }

  /** What becomes of a transfer later; tells Duka. */
  async end(reference: string, status: string): Promise<void> {
    this.transfers.end(reference, status);
    await this.callBack('purchases', this.transferEvent(reference));
  }

  /** All who are logged in must log in again. */
  expireTokens(): void {
    this.tokens.clear();
  }

  signed(event: object, secret = SECRET): CallbackRequest {
    const body = Buffer.from(textOf(event));
    const signature = createHmac('sha512', secret).update(body).digest('hex');
    return { body, headers: { 'content-type': 'application/json', 'monnify-signature': signature } };
  }

  /** As it tells of a transfer; null: of something that is none of ours. */
  transferEvent(reference: string | null): object {
    if (reference === null)
      return { eventType: 'SETTLEMENT', eventData: { settlementReference: 'LB8HG1PNZT4ATJGZXQBY' } };
    const { status = 'SUCCESS' } = this.transfers.all.get(reference) ?? {};
    const eventType = `${status === 'SUCCESS' ? 'SUCCESSFUL' : status}_DISBURSEMENT`;
    return { eventType, eventData: { reference, amount: 10, fee: 8, currency: 'NGN', status } };
  }

  protected async answer(heard: Heard, response: ServerResponse): Promise<void> {
    try {
      await this.route(heard, response);
    } catch (error) {
      if (!(error instanceof No)) throw error;
      say(response, error.status, error.body);
    }
  }

  private async route(heard: Heard, response: ServerResponse): Promise<void> {
    const { method, path } = heard;
    if (path === '/pretend/pay') return this.payer(heard, response);
    if (path === '/api/v1/auth/login') return this.login(heard, response);
    if (!this.tokens.has(heard.headers.authorization?.replace('Bearer ', '') ?? ''))
      return say(response, 401, { error: 'invalid_token', error_description: 'Access token expired' });
    if (this.madAbout !== null && path.startsWith(this.madAbout)) return NONSENSE[this.heard.length % 4]!(response, {});
    if (path === '/api/v2/disbursements/single' && method === 'POST') return this.transfer(heard, response);
    if (path === '/api/v2/disbursements/single/summary') return this.summary(heard.query.get('reference')!, response);
    say(response, 200, yesOf(this.look(heard)));
  }

  private look({ method, path, query, body }: Heard): object {
    const last = decodeURIComponent(path.split('/').at(-1)!);
    const balance = asNumber(this.transfers.balance);
    if (path === '/api/v2/disbursements/wallet-balance') {
      if (query.get('accountNumber') !== WALLET)
        throw new No(422, 'D01', 'Supplied account number does not belong to merchant');
      return { availableBalance: balance, ledgerBalance: balance };
    }
    if (path === '/api/v1/disbursements/account/validate') return this.name(query);
    if (path === '/api/v2/bank-transfer/reserved-accounts' && method === 'POST') return this.collections.reserve(body!);
    if (path.startsWith('/api/v2/bank-transfer/reserved-accounts/')) return this.collections.account(last);
    if (path.startsWith('/api/v1/bank-transfer/reserved-accounts/reference/') && method === 'DELETE')
      return this.collections.deallocate(last);
    if (path === '/api/v2/merchant/transactions/query')
      return this.collections.query(query.get('transactionReference')!);
    if (path === '/api/v1/transactions/search') return this.collections.search(query);
    if (path === '/api/v1/refunds/initiate-refund') return this.collections.refund(body!);
    if (path.startsWith('/api/v1/refunds/')) return this.collections.refundBody(last);
    throw new No(404, '99', 'Not found');
  }

  private login({ headers }: Heard, response: ServerResponse): void {
    const basic = Buffer.from(`${API_KEY}:${SECRET}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}`) throw new No(401, '99', 'Invalid Credentials');
    this.logins++;
    const accessToken = randomUUID();
    this.tokens.add(accessToken);
    say(response, 200, yesOf({ accessToken, expiresIn: 3600 }));
  }

  private name(query: URLSearchParams): object {
    if (this.noName !== null) throw this.noName;
    const [accountNumber, bankCode] = [query.get('accountNumber'), query.get('bankCode')];
    return { accountNumber, accountName: 'Test Recipient', bankCode, currencyCode: 'NGN' };
  }

  private async transfer({ body }: Heard, response: ServerResponse): Promise<void> {
    const reference = String(body?.reference);
    const { deed, kind, outcome, no } = this.planOf(reference);
    if (no !== null) throw no;
    const made = this.transfers.make(body!, outcome);
    if (deed === 'stays_silent' || deed === 'goes_dark' || deed === 'locks_us_out') return this.arrived(reference);
    const right = yesOf(madeBody(made)) as Record<string, unknown>;
    if (deed === 'drips') return this.drip(reference, right, response);
    if (deed === 'talks_nonsense' || deed === 'loses_its_mind')
      return NONSENSE[kind % NONSENSE.length]!(response, right);
    say(response, 200, right);
    await this.callBack('purchases', this.transferEvent(reference));
  }

  private summary(reference: string, response: ServerResponse): void {
    const { deed, kind } = this.planOf(reference);
    if (deed === 'goes_dark') return this.arrived(reference);
    const right = yesOf(summaryBody(this.transfers.find(reference))) as Record<string, unknown>;
    if (deed === 'locks_us_out') throw LOCKED[kind % LOCKED.length]!;
    if (deed === 'loses_its_mind') return NONSENSE[kind % NONSENSE.length]!(response, right);
    say(response, 200, right);
  }

  private planOf(reference: string): Plan {
    if (!this.plans.has(reference)) this.decide(reference);
    return this.plans.get(reference) ?? { deed: 'delivers', kind: 0, outcome: this.otherwise, no: null };
  }

  /** The answer is the right one up to its last byte, which never comes. */
  private drip(reference: string, right: object, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(textOf(right).slice(0, -1), () => this.arrived(reference));
    const drops = setInterval(() => response.write(' '), DRIP_MS);
    response.on('close', () => clearInterval(drops));
  }

  private async payer({ body }: Heard, response: ServerResponse): Promise<void> {
    const payment: Payment = this.collections.pay(
      this.collections.referenceOf(String(body?.accountNumber)),
      kobo(body?.amount) ?? 0n,
    );
    say(response, 200, { transactionReference: payment.reference });
    await this.callBack('virtual-accounts', this.collections.event(payment));
  }

  /** Where nobody listens, nothing is said twice: the list of the day tells. */
  private async callBack(what: 'purchases' | 'virtual-accounts', event: object): Promise<void> {
    if (this.callbackUrl === null) return;
    const { body, headers } = this.signed(event);
    const url = new URL(`callbacks/${what}/monnify`, this.callbackUrl);
    await fetch(url, { method: 'POST', body: new Uint8Array(body), headers: headers as Record<string, string> }).catch(
      () => null,
    );
  }

  private arrived(reference: string): void {
    this.waiting.get(reference)?.();
  }
}
