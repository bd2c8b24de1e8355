import { createHmac, hkdfSync, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../purchases/pace';
import { pick } from './card-clients';
import type { Findings } from './findings';
import type { Moment } from './card-reckoning';
import type { Shop } from './shop';
import { sum, type ToldTransfer } from './told';

const CLIENTS = 4;
const [PAUSE_MS, CLOCK_LAG_MS] = [25, 2_000];
const CALLBACKS_AT_ONCE = 2;
/** Callbacks that wait behind others, and of how many one comes again. */
const [WAITING, AGAIN] = [6, 3];
const [AMOUNT_MIN, AMOUNT_MAX] = [1_000, 500_000];
/** Payers by the last word of their names, as the bank of the sandbox deals with them; and whether it calls beside that. */
const PAYERS = [
  [8, 'Obi', true],
  [4, 'Twice', true],
  [4, 'Late', true],
  [4, 'Lost', true],
  [2, 'Lost', false],
] as const;
/** To which kind of account; of those that take nothing, all waits for a person. */
const PAID = [
  [12, 'open'],
  [4, 'once'],
  [2, 'closed'],
  [2, 'expired'],
] as const;
/** By the account's clock, which runs fast: an account that expires, and one that takes its transfer in time. */
const [SHORT_SECONDS, LONG_SECONDS] = [60, 86_400];

/** Payers who transfer money to account numbers, and a bank that calls back more often than it should, or not at all. */
export class TransferClients {
  begun = 0;
  /** Of banks, with an answer. */
  callbacks = 0;
  /** Not made yet, or to be made again: in no order. */
  private readonly due: (() => Promise<void>)[] = [];
  private readonly made: (() => Promise<void>)[] = [];
  private readonly callbackKey: Buffer;

  constructor(
    private readonly shops: readonly Shop[],
    private readonly transfers: number,
    private readonly pace: Pace,
    secretsKey: string,
  ) {
    this.callbackKey = Buffer.from(
      hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'duka/sandbox-banks/v1', 32),
    );
  }

  /** Resolves when every request has its answer. */
  async run(): Promise<void> {
    const numbers = await Promise.all(this.shops.map((shop) => open(shop)));
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (this.begun < this.transfers) {
          const index = this.begun % this.shops.length;
          if (this.begun < this.pace.allowance) await this.pay(this.shops[index]!, numbers[index]!);
          else await sleep(PAUSE_MS);
        }
      }),
    );
    while (this.due.length > 0) await this.callNext();
  }

  /** The bank makes all its callbacks again, long after everything was settled. */
  async remind(): Promise<void> {
    for (const call of this.made) await call();
  }

  private async pay(shop: Shop, numbers: Numbers): Promise<void> {
    this.begun++;
    const [, kind] = pick(PAID);
    const isHeld = kind === 'closed' || kind === 'expired';
    const amount = randomInt(AMOUNT_MIN, AMOUNT_MAX);
    const [, name, isTold] = pick(PAYERS);
    const { wallet } = numbers;
    const account = kind === 'once' ? await opened(shop, onceInto(wallet, LONG_SECONDS)) : numbers[kind];
    const body = { amount, payer_name: `Ada ${name}` };
    const made = await shop.post(`/v4/sandbox/virtual-accounts/${account}/deposit`, body);
    shop.transfers.push({ reference: made.provider_reference, amount, wallet, isHeld });
    const call = () => this.callBack(shop, account, made.provider_reference, amount);
    this.made.push(call);
    if (isTold) this.due.push(call);
    if (this.due.length > WAITING) await this.callNext();
  }

  /** Any of those that wait; sometimes it comes again later. */
  private async callNext(): Promise<void> {
    const index = randomInt(this.due.length);
    const [call] = this.due.splice(index, 1);
    await call!();
    if (randomInt(AGAIN) === 0) this.due.push(call!);
  }

  /** The same callback, twice at once. What it says counts for nothing. */
  private async callBack(shop: Shop, account: string, reference: string, amount: number): Promise<void> {
    const whose = `${account}_${shop.account.slice('acct_'.length)}`;
    const body = JSON.stringify({ event: 'transfer', reference, account: whose, amount: `${amount}`, currency: 'NGN' });
    const signature = createHmac('sha256', this.callbackKey).update(body).digest('hex');
    const request = {
      method: 'POST',
      path: '/callbacks/virtual-accounts/sandbox',
      headers: { 'x-sandbox-signature': signature },
      body,
    } as const;
    await Promise.all(Array.from({ length: CALLBACKS_AT_ONCE }, () => shop.wire.ask(request)));
    this.callbacks += CALLBACKS_AT_ONCE;
  }
}

interface Numbers {
  readonly wallet: string;
  readonly open: string;
  readonly closed: string;
  readonly expired: string;
}

const onceInto = (wallet: string, seconds: number): object => ({
  wallet_id: wallet,
  kind: 'one_time',
  expires_in: seconds,
});

async function open(shop: Shop): Promise<Numbers> {
  const wallet = shop.anyWallet('NGN');
  const body = { wallet_id: wallet, kind: 'permanent' };
  const [taking, closed] = [await opened(shop, body), await opened(shop, body)];
  await shop.post(`/v4/virtual-accounts/${closed}/close`);
  const expired = await opened(shop, onceInto(wallet, SHORT_SECONDS));
  while ((await shop.get(`/v4/virtual-accounts/${expired}`)).status !== 'expired') await sleep(PAUSE_MS);
  // So long another process may not know that the account's clock was moved.
  await sleep(CLOCK_LAG_MS);
  return { wallet, open: taking, closed, expired };
}

/** The id of an account that has its number: a process that dies on the way leaves that to the sweeper. */
async function opened(shop: Shop, body: object): Promise<string> {
  const { id } = await shop.post('/v4/virtual-accounts', body);
  while ((await shop.get(`/v4/virtual-accounts/${id}`)).status === 'pending') await sleep(PAUSE_MS);
  return id;
}

/**
 * Compares what arrived with what was transferred, and gives what was credited. What nobody has told of yet, because
 * its callback was lost with a process, is there a day later at the latest.
 */
export async function reckonTransfers(
  shop: Shop,
  { isLapsed }: Moment,
  findings: Findings,
): Promise<readonly (ToldTransfer & { readonly transaction: string })[]> {
  const found = new Map((await shop.all('/v4/deposits')).map((one) => [one.provider_reference as string, one]));
  const told = new Set(shop.transfers.map(({ reference }) => reference));
  for (const reference of found.keys()) if (!told.has(reference)) findings.add('unasked', `deposit ${reference}`);
  return shop.transfers.flatMap((transfer) => {
    const one = found.get(transfer.reference);
    if (one === undefined) {
      if (isLapsed) findings.add('lost', `transfer ${transfer.reference}`);
      return [];
    }
    const { amount, isHeld, wallet } = transfer;
    findings.compare('transfers', transfer.reference, {
      told: [isHeld ? 'received' : 'credited', isHeld, amount, isHeld ? null : wallet],
      found: [one.status, one.needs_review, one.amount, one.wallet_id],
    });
    return one.transaction_id === null ? [] : [{ ...transfer, transaction: one.transaction_id as string }];
  });
}

/** What transfers brought to a wallet. */
export const arrivedAt = (wallet: string, transfers: readonly ToldTransfer[]): number =>
  sum(
    transfers.filter((one) => one.wallet === wallet),
    ({ amount }) => amount,
  );
