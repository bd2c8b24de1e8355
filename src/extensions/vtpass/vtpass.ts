import { createHash, timingSafeEqual } from 'node:crypto';
import { type Of, secret, Settings, text, url } from '../../core/config/settings';
import { newId } from '../../core/http/ids';
import { type Currency, decimalText, displayMoney, fromMajor } from '../../core/money/money';
import type {
  FindResult,
  Order,
  OrderCallback,
  Provider,
  ProviderResult,
} from '../../modules/purchases/purchases.provider';
import { type CallbackRequest, fieldsOf } from '../../providers/answers';
import { type CompanyAnswer, type Outside, ProviderHttp } from '../../providers/http';
import type { CheckResult } from '../../providers/registry';
import { referenceOf, requestIdOf } from './request-id';
import { codeIn, findingOf, OF_EARLIER, resultOf, resultOfEarlier, roundedKobo, type Sale } from './vtpass-answers';

// VTpass (Nigeria): airtime, data and bills through one address, POST pay and POST requery.
//
// Documentation: https://www.vtpass.com/documentation/ (authentication, buying-services, response-codes,
// re-query-services, transaction-update-webhook-api and the pages of the products), read on 2026-11-25. Where its
// versions disagree the newer counts: keys instead of a password (authentication), no answer `001` to a requery, the
// statuses `failed` and `reversed` of older pages beside those of the present one.

/** Absent until there is a contract: then nothing here is registered. */
export const VTPASS = Settings.of('vtpass', {
  url: url({ about: 'Address of VTpass (https://vtpass.com/api/, its sandbox: https://sandbox.vtpass.com/api/).' }),
  apiKey: secret({ about: 'Static API key of its profile page.' }),
  publicKey: secret({ about: 'Public key (PK_…) of the same page: what is read is read with it.' }),
  secretKey: secret({ about: 'Secret key (SK_…) of the same page: what is bought is bought with it.' }),
  phone: text({ about: 'Phone of yours that is sent with bills, where the customer is no phone: 08031234567.' }),
  callbackSecret: secret({
    optional: true,
    about:
      'Stands as ?secret=… in the callback address that VTpass is given: it signs nothing. None: no callback counts.',
  }),
});

/** The fields of POST pay, but for the id. Text, amounts in naira too. */
export type Payment = Readonly<Record<string, string>>;

/** What the three products have in common. VTpass sells once for a request id, and tells what became of it. */
export abstract class VtpassSeller<Item extends object> implements Provider<Item> {
  protected readonly vtpass: Outside;

  constructor(
    protected readonly settings: Of<typeof VTPASS>,
    http: ProviderHttp,
  ) {
    const { url, apiKey } = settings;
    this.vtpass = http.to({ name: 'vtpass', url, headers: { 'api-key': apiKey } });
  }

  protected abstract paymentOf(order: Order<Item>): Payment;

  protected abstract saleOf(order: Order<Item>): Omit<Sale, 'requestId'>;

  async purchase(order: Order<Item>, signal: AbortSignal): Promise<ProviderResult> {
    const requestId = requestIdOf(order.reference);
    const payment = { request_id: requestId, ...this.paymentOf(order) };
    const answer = await this.post('pay', payment, signal);
    const code = codeIn(answer, requestId);
    if (code !== null && Object.hasOwn(OF_EARLIER, code)) return resultOfEarlier(code, await this.find(order, signal));
    return resultOf(answer, { requestId, ...this.saleOf(order) });
  }

  async find(order: Order<Item>, signal: AbortSignal): Promise<FindResult> {
    const requestId = requestIdOf(order.reference);
    const answer = await this.post('requery', { request_id: requestId }, signal);
    return findingOf(answer, { requestId, ...this.saleOf(order) });
  }

  async balance(currency: Currency, signal: AbortSignal): Promise<bigint> {
    const balance = currency === 'NGN' ? balanceOf(await this.get('balance', {}, signal)) : null;
    if (balance === null) throw new Error('the float could not be read');
    return balance;
  }

  /** The address and the public key by the balance, the secret key by a requery of an order that never was. */
  async check(signal: AbortSignal): Promise<CheckResult> {
    const read = await this.get('balance', {}, signal);
    const amount = balanceOf(read);
    if (amount === null) return faultOf(read, 'VTPASS_API_KEY and VTPASS_PUBLIC_KEY');
    const requestId = requestIdOf(newId());
    const asked = await this.post('requery', { request_id: requestId }, signal);
    if (codeIn(asked, requestId) !== '015') return faultOf(asked, 'VTPASS_API_KEY and VTPASS_SECRET_KEY');
    return {
      isFine: true,
      says: `VTpass accepts the keys. The float is ${displayMoney({ amount, currency: 'NGN' })}.`,
    };
  }

  /** VTpass signs nothing: a secret in the address that it was given tells it from others. */
  verify({ body, query = {} }: CallbackRequest): OrderCallback {
    const { callbackSecret } = this.settings;
    if (callbackSecret === undefined || !isSame(query.secret ?? '', callbackSecret)) return { outcome: 'forged' };
    const { type, data } = fieldsOf(JSON.parse(body.toString()));
    const { requestId, content } = fieldsOf(data);
    const reference = type === 'transaction-update' && typeof requestId === 'string' ? referenceOf(requestId) : null;
    if (reference === null) return { outcome: 'other' };
    const { status } = fieldsOf(fieldsOf(content).transactions);
    return { outcome: 'genuine', reference, ...(typeof status === 'string' && { says: status }) };
  }

  protected get(
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
    bytesMax?: number,
  ): Promise<CompanyAnswer> {
    const headers = { 'public-key': this.settings.publicKey };
    return this.vtpass.ask({ path, query, headers, signal, ...(bytesMax !== undefined && { bytesMax }) });
  }

  protected post(path: string, json: object, signal: AbortSignal): Promise<CompanyAnswer> {
    return this.vtpass.ask({ method: 'POST', path, json, headers: { 'secret-key': this.settings.secretKey }, signal });
  }
}

/** Naira as VTpass takes them: `1050`, and `1050.50` where there are kobo. */
export const nairaOf = (amount: bigint): string => decimalText({ amount, currency: 'NGN' }).replace(/\.00$/, '');

/** E.164 → as it is dialled in Nigeria: VTpass knows no other. */
export const localPhone = (phone: string): string => phone.replace(/^\+234/, '0');

/** Kobo of what a biller told; null: it told none. */
export const koboOf = (value: unknown): bigint | null => fromMajor(value, 'NGN') || null;

function balanceOf({ status, body }: CompanyAnswer): bigint | null {
  const { balance } = fieldsOf(fieldsOf(body).contents);
  return status === 200 ? roundedKobo(balance) : null;
}

const FAULTS: Readonly<Record<string, string>> = {
  '021': 'VTpass has locked the account.',
  '022': 'VTpass has suspended the account.',
  '023': 'VTpass has not opened its API to the account.',
  '024': 'The account at VTpass is inactive.',
  '027': 'VTpass does not let the address of this server in: its support must list it.',
};

function faultOf({ status, body }: CompanyAnswer, keys: string): CheckResult {
  const { code } = fieldsOf(body);
  if (status === 401 || code === '087')
    return { isFine: false, says: `VTpass does not accept ${keys}, or the account's authentication is not by keys.` };
  const known = typeof code === 'string' && Object.hasOwn(FAULTS, code) ? FAULTS[code]! : null;
  return {
    isFine: false,
    says: known ?? `What answers at VTPASS_URL (status ${status}) does not speak as VTpass: it must end in /api/.`,
  };
}

/** Digests are of one length, whatever was given. */
const isSame = (given: string, own: string): boolean => timingSafeEqual(digestOf(given), digestOf(own));

const digestOf = (value: string): Buffer => createHash('sha256').update(value).digest();
