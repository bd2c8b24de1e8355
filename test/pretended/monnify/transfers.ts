import type { StatementLine } from '../pretended';
import { asNumber, kobo, No } from './answers';

export interface Transfer {
  readonly reference: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly bankCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
  readonly narration: string;
  readonly id: string;
  readonly madeAt: number;
  status: string;
  description: string;
}

const TWIN_MS = 120_000;
const FEE = 1_000n;

/** What the transfer under a reference comes to. */
export interface Outcome {
  readonly status: string;
  readonly description: string;
}

export const DONE: Outcome = { status: 'SUCCESS', description: 'Transaction successful' };

/** Outgoing transfers of the merchant's wallet. */
export class Transfers {
  /** Kobo. Goes down by amount and fee of each transfer that is made. */
  balance = 100_000_000_000n;
  /** Monnify takes a second transfer of one amount to one account within two minutes for a mistake (D07). */
  refusesTwins = true;
  readonly all = new Map<string, Transfer>();
  readonly times = new Map<string, number>();
  private count = 0;

  constructor(private readonly wallet: string) {}

  get statement(): StatementLine[] {
    const done = [...this.all.values()].filter(({ status }) => status === 'SUCCESS');
    return done.map(({ reference, amount, fee }) => ({ reference, amount: amount + fee }));
  }

  /** `outcome`: what becomes of it. Throws `No`. */
  make(body: Readonly<Record<string, unknown>>, outcome: Outcome): Transfer {
    const given = (field: string): string => {
      const value = body[field];
      if (typeof value !== 'string' || value === '') throw new No(400, '99', `Field ${field} cannot be null`);
      return value;
    };
    const reference = given('reference');
    const accountNumber = given('destinationAccountNumber');
    const accountName = given('destinationAccountName');
    const amount = typeof body.amount === 'number' ? kobo(body.amount) : null;
    if (amount === null || amount <= 0n) throw new No(400, 'D01', 'Invalid amount');
    if (given('currency') !== 'NGN') throw new No(400, '99', 'Unknown currency code supplied');
    if (given('sourceAccountNumber') !== this.wallet)
      throw new No(422, 'D01', 'Supplied account number does not belong to merchant');
    if (this.all.has(reference)) throw new No(422, 'D05', 'Supplied reference already exists!');
    const isTwin = [...this.all.values()].some(
      (one) => one.accountNumber === accountNumber && one.amount === amount && Date.now() - one.madeAt < TWIN_MS,
    );
    if (isTwin && this.refusesTwins) throw new No(422, 'D07', 'Duplicate request');
    if (amount + FEE > this.balance) throw new No(422, 'D04', 'Insufficient wallet balance');
    const id = `MFDS8762026062709324900${`${++this.count}`.padStart(4, '0')}JDW8UZ`;
    const { status, description } = outcome;
    const [bankCode, narration] = [given('destinationBankCode'), given('narration')];
    const made = {
      reference,
      amount,
      fee: FEE,
      bankCode,
      accountNumber,
      accountName,
      narration,
      id,
      madeAt: Date.now(),
    };
    const transfer = { ...made, status: 'PENDING', description: '' };
    this.all.set(reference, transfer);
    this.end(reference, status, description);
    return transfer;
  }

  /** What becomes of a transfer later. Money leaves the wallet when it is done, and comes back when it is reversed. */
  end(reference: string, status: string, description = 'Transaction successful'): void {
    const transfer = this.all.get(reference)!;
    const cost = transfer.amount + transfer.fee;
    if (status === 'SUCCESS') {
      this.balance -= cost;
      this.times.set(reference, (this.times.get(reference) ?? 0) + 1);
    }
    if (status === 'REVERSED' && transfer.status === 'SUCCESS') this.balance += cost;
    Object.assign(transfer, { status, description });
  }

  /** Throws `No`. */
  find(reference: string): Transfer {
    const transfer = this.all.get(reference);
    if (transfer === undefined) throw new No(404, 'D02', 'Could not find disbursement transaction for given reference');
    return transfer;
  }
}

/** As a request is answered. */
export const madeBody = (transfer: Transfer): object => ({
  amount: asNumber(transfer.amount),
  reference: transfer.reference,
  status: transfer.status,
  dateCreated: new Date(transfer.madeAt).toISOString().replace('Z', '+00:00'),
  totalFee: asNumber(transfer.fee),
  destinationAccountName: transfer.accountName,
  destinationBankName: 'GTBank',
  destinationAccountNumber: transfer.accountNumber,
  destinationBankCode: transfer.bankCode,
  comment: transfer.description,
});

/** As the summary has it. */
export const summaryBody = (transfer: Transfer): object => ({
  amount: asNumber(transfer.amount),
  reference: transfer.reference,
  narration: transfer.narration,
  currency: 'NGN',
  fee: asNumber(transfer.fee),
  twoFaEnabled: transfer.status === 'PENDING_AUTHORIZATION',
  status: transfer.status,
  transactionDescription: transfer.description,
  transactionReference: transfer.id,
  createdOn: new Date(transfer.madeAt).toISOString().replace('Z', '+00:00'),
  sourceAccountNumber: '9988776655',
  destinationAccountNumber: transfer.accountNumber,
  destinationAccountName: transfer.accountName,
  destinationBankCode: transfer.bankCode,
  destinationBankName: 'GTBank',
});
