import type { ServerResponse } from 'node:http';
import type { Deed } from '../../contracts/rig';
import type { Heard, StatementLine } from '../pretended';
import { done, drip, fault, lockOut, NONSENSE } from './talk';

interface Plan {
  readonly deed: Deed;
  readonly kind: number;
  /** Paystack's word for it, once it is booked. */
  readonly status: string;
}

interface Recipient {
  readonly id: number;
  readonly recipient_code: string;
  readonly type: string;
  readonly name: string;
  readonly details: { readonly account_number: string; readonly bank_code: string };
}

export interface Transfer {
  readonly id: number;
  readonly reference: string;
  readonly amount: bigint;
  readonly currency: string;
  readonly recipient: Recipient;
  readonly fee: bigint;
  status: string;
}

export const BANKS = [
  { name: 'Access Bank', code: '044', type: 'nuban', currency: 'NGN', country: 'Nigeria', active: true },
  { name: 'Guaranty Trust Bank', code: '058', type: 'nuban', currency: 'NGN', country: 'Nigeria', active: true },
  { name: 'Heritage Bank', code: '030', type: 'nuban', currency: 'NGN', country: 'Nigeria', active: false },
  { name: 'Abbey Mortgage Bank', code: '801', type: 'nuban', currency: 'NGN', country: 'Nigeria', active: true },
  { name: 'GCB Bank Limited', code: '040100', type: 'ghipss', currency: 'GHS', country: 'Ghana', active: true },
];

/** No bank has it. */
export const NO_SUCH_ACCOUNT = '0000000999';

/** NGN 10 up to 5,000, NGN 25 up to 50,000, NGN 50 above. */
export const transferFeeOf = (amount: bigint): bigint =>
  amount <= 500_000n ? 1_000n : amount <= 5_000_000n ? 2_500n : 5_000n;

/** Recipients, and transfers to them out of the balance. */
export class Transfers {
  /** Subunits of NGN, and of every other currency that is asked for. */
  balance = 100_000_000n;
  readonly sales = new Map<string, number>();
  /** Names whose owner the bank says. */
  readonly holders = new Map<string, string>();
  /** Hears of an order that nobody planned, when it is asked about it, and may plan it. */
  decide: (reference: string) => void = () => undefined;
  readonly all = new Map<string, Transfer>();
  private readonly plans = new Map<string, Plan>();
  private readonly recipients = new Map<string, Recipient>();
  private readonly waiting = new Map<string, () => void>();

  constructor(private readonly onEnd: (event: string, data: object) => void) {}

  plan(reference: string, deed: Deed, kind = 0, status = 'success'): void {
    this.plans.set(reference, { deed, kind, status });
  }

  setStatus(reference: string, status: string): void {
    const transfer = this.all.get(reference)!;
    transfer.status = status;
    if (status === 'reversed' || status === 'failed') this.balance += transfer.amount + transfer.fee;
    if (['success', 'failed', 'reversed'].includes(status)) this.onEnd(`transfer.${status}`, this.told(transfer));
  }

  get statement(): StatementLine[] {
    const done = [...this.all.values()].filter(({ status }) => status === 'success');
    return done.map(({ reference, amount, fee }) => ({ reference, amount: amount + fee }));
  }

  /** Resolves when it is asked about the reference for the next time, and has begun to do what is planned. */
  begun(reference: string): Promise<void> {
    return new Promise((resolve) => this.waiting.set(reference, resolve));
  }

  listBanks({ query }: Heard, response: ServerResponse): void {
    const all = BANKS.filter(({ currency }) => currency === (query.get('currency') ?? 'NGN'));
    const [from, perPage] = [Number(query.get('next') ?? 0), Math.min(Number(query.get('perPage') ?? 50), 2)];
    const next = from + perPage < all.length ? String(from + perPage) : null;
    done(response, 'Banks retrieved', all.slice(from, from + perPage), { next, previous: null, perPage });
  }

  resolve({ query }: Heard, response: ServerResponse): void {
    const [number, code] = [query.get('account_number') ?? '', query.get('bank_code') ?? ''];
    if (!BANKS.some((bank) => bank.code === code)) return fault(response, 400, `Unknown bank code: ${code}`);
    if (!/^\d{10}$/.test(number) || number === NO_SUCH_ACCOUNT)
      return fault(response, 422, 'Could not resolve account name. Check parameters or try again.');
    done(response, 'Account number resolved', {
      account_number: number,
      account_name: this.holders.get(number) ?? 'ADAEZE OKAFOR',
      bank_id: 9,
    });
  }

  createRecipient({ body }: Heard, response: ServerResponse): void {
    const { type, name, account_number: number, bank_code: code, currency } = (body ?? {}) as Record<string, string>;
    const bank = BANKS.find((one) => one.code === code && one.type === type && one.currency === currency);
    if (bank === undefined || !number || !name || number === NO_SUCH_ACCOUNT)
      return fault(response, 400, 'Account details are invalid', { code: 'invalid_params' });
    const key = `${code}/${number}`;
    const id = 56_824_902 + this.recipients.size;
    const details = { account_number: number, account_name: null, bank_code: code!, bank_name: bank.name };
    const made = this.recipients.get(key) ?? {
      id,
      recipient_code: `RCP_${id.toString(36)}`,
      type: type!,
      name,
      details,
    };
    this.recipients.set(key, made);
    done(response, 'Transfer recipient created successfully', { active: true, currency, domain: 'live', ...made });
  }

  initiate({ body }: Heard, response: ServerResponse): void {
    const { amount: asked, recipient: code, reference = '', currency = 'NGN' } = body ?? {};
    const name = String(reference);
    const recipient = [...this.recipients.values()].find((one) => one.recipient_code === code);
    const plan = this.planOf(name);
    if (!/^[a-z0-9_-]{16,50}$/.test(name))
      return fault(response, 400, 'Reference is invalid', { code: 'invalid_params' });
    if (recipient === undefined || plan.deed === 'refuses')
      return fault(response, 400, 'Recipient specified is invalid', NO_RECIPIENT);
    if (this.all.has(name)) return fault(response, 400, TAKEN, { code: 'duplicate_transfer_reference' });
    const amount = BigInt(asked as number);
    const fee = transferFeeOf(amount);
    if (amount + fee > this.balance) return fault(response, 400, 'Your balance is not enough to fulfil this request');
    this.balance -= amount + fee;
    this.sales.set(name, (this.sales.get(name) ?? 0) + 1);
    const id = 860_703_114 + this.all.size;
    const transfer = { id, reference: name, amount, currency: String(currency), recipient, fee, status: plan.status };
    this.all.set(name, transfer);
    if (plan.status === 'success') this.onEnd('transfer.success', this.told(transfer));
    this.answer(transfer, plan, response);
  }

  verify(reference: string, response: ServerResponse): void {
    const plan = this.planOf(reference);
    const transfer = this.all.get(reference);
    if (plan.deed === 'locks_us_out') return lockOut(response, plan.kind);
    if (transfer === undefined) return fault(response, 404, 'Transfer not found');
    if (plan.deed === 'goes_dark') return this.arrived(reference);
    if (plan.deed === 'loses_its_mind')
      return NONSENSE[plan.kind % NONSENSE.length]!(response, this.told(transfer), false);
    done(response, 'Transfer retrieved', this.told(transfer));
  }

  private told({ id, reference, amount, currency, recipient, fee, status }: Transfer): Record<string, unknown> {
    return {
      id,
      reference,
      amount: Number(amount),
      currency,
      domain: 'live',
      source: 'balance',
      status,
      failures: null,
      transfer_code: `TRF_${id.toString(36)}`,
      recipient,
      session: status === 'success' ? { provider: 'nip', id: `0900${id}` } : { provider: null, id: null },
      fee_charged: Number(fee),
      gateway_response: null,
    };
  }

  private planOf(reference: string): Plan {
    if (!this.plans.has(reference)) this.decide(reference);
    return this.plans.get(reference) ?? { deed: 'delivers', kind: 0, status: 'success' };
  }

  private answer(transfer: Transfer, { deed, kind }: Plan, response: ServerResponse): void {
    const { fee_charged: _, session: __, ...told } = this.told(transfer);
    const data = { ...told, recipient: transfer.recipient.id, transfersessionid: [], transfertrials: [] };
    if (deed === 'stays_silent' || deed === 'goes_dark' || deed === 'locks_us_out')
      return this.arrived(transfer.reference);
    if (deed === 'drips') return drip(response, { status: true, data }, () => this.arrived(transfer.reference));
    if (deed === 'talks_nonsense' || deed === 'loses_its_mind')
      return NONSENSE[kind % NONSENSE.length]!(response, data, false);
    const message = transfer.status === 'otp' ? 'Transfer requires OTP to continue' : 'Transfer has been queued';
    done(response, message, data);
  }

  private arrived(reference: string): void {
    this.waiting.get(reference)?.();
  }
}

const TAKEN = 'Please provide a unique reference. Reference already exists on a transfer';

const NO_RECIPIENT = {
  code: 'invalid_transfer_recipient',
  nextStep: 'Provide a valid recipient. Ensure you are passing the recipient code in the recipient param',
};
