import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../purchases/pace';
import type { Client } from './client';

const CLIENTS = 12;
const PAUSE_MS = 25;
const FIRST_AMOUNT = 10_000;
/** Of the fee, and then some. */
const SPARE = 10_000;
/** What is final already. */
const REFUSALS = ['invalid_state_transition'];
const ASKED_AT_ONCE = 8;

/** `Idempotency-Key` of an order, in each of its requests. */
export const keyOf = (index: number): string => `live-${index}`;

/** Every amount and every recipient is another one, so that no order is taken for another. */
const amountOf = (index: number): number => FIRST_AMOUNT + index;

/** What all orders need at most. */
export const moneyFor = (orders: number): bigint => BigInt((amountOf(orders) + SPARE) * orders);

function requestOf(index: number, wallet: string): { readonly path: string; readonly body: object } {
  const order = { amount: amountOf(index), wallet_id: wallet };
  if (index % 2 === 0)
    return { path: '/v4/airtime/purchase', body: { ...order, phone: `+234803${1_000_000 + index}` } };
  const bank = { code: '058', account_number: `02345${String(index).padStart(5, '0')}` };
  return { path: '/v4/payouts', body: { ...order, bank } };
}

/** Clients of one account that buy airtime and pay out in live mode. */
export class Orders {
  begun = 0;
  /** Id of each order that was answered. */
  readonly told = new Map<number, string>();

  constructor(
    private readonly client: Client,
    private readonly wallet: string,
    private readonly orders: number,
    private readonly pace: Pace,
  ) {}

  /** Resolves when every order has its answer. */
  async run(): Promise<void> {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (this.begun < this.orders) {
          if (this.begun < this.pace.allowance) await this.place(this.begun++);
          else await sleep(PAUSE_MS);
        }
      }),
    );
  }

  /** Asks what became of these. */
  async ask(ids: readonly string[]): Promise<void> {
    const left = [...ids];
    await Promise.all(
      Array.from({ length: ASKED_AT_ONCE }, async () => {
        for (let id = left.pop(); id !== undefined; id = left.pop())
          await this.client.post(`/v4/transactions/${id}/requery`, undefined, {
            key: `${id}-${Date.now()}`,
            refusals: REFUSALS,
          });
      }),
    );
  }

  private async place(index: number): Promise<void> {
    const { path, body } = requestOf(index, this.wallet);
    const made = await this.client.post(path, body, { key: keyOf(index), refusals: REFUSALS });
    if (made !== null) this.told.set(index, made.id);
  }
}
