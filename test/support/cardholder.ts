import { randomUUID } from 'node:crypto';
import type { Api } from './api';
import type { Answer } from './contract';
import type { Duka } from './duka';

/** A cardholder as partners send one. The last name tells the sandbox's issuer what to do. */
export const cardholder = (lastName = 'Obi') => ({
  first_name: 'Ada',
  last_name: lastName,
  email: 'ada@example.com',
  phone: '+2348031234567',
  date_of_birth: '1990-04-21',
  address: { line1: '12 Marina Road', city: 'Lagos', state: 'Lagos', postal_code: '101241', country: 'NG' },
  identity: { type: 'passport', number: 'A01234567' },
});

/** An account with a USD wallet, and what its money looks like. */
export class CardOwner {
  static readonly MONEY = 100_000;
  /** What the issue of a card costs. */
  static readonly FEE = 100;

  private constructor(
    readonly api: Api,
    readonly wallet: string,
    readonly accountId: string,
  ) {}

  static async of(duka: Duka, money = CardOwner.MONEY): Promise<CardOwner> {
    const { api, id } = await duka.account();
    return new CardOwner(api, await api.wallet(money, 'USD'), id);
  }

  /** With a key of its own, unless one is given. */
  issue({
    lastName,
    key = randomUUID(),
    headers,
    ...more
  }: {
    lastName?: string;
    key?: string;
    headers?: Record<string, string>;
    [field: string]: unknown;
  } = {}): Promise<Answer> {
    const body = {
      customer: cardholder(lastName),
      currency: 'USD',
      amount: 5_000,
      funding_wallet_id: this.wallet,
      ...more,
    };
    return this.api.post('/v4/cards/issue', body, { key, headers });
  }

  /** An active card with 50.00 on it. */
  async card(more: Record<string, unknown> = {}): Promise<any> {
    const { status, body } = await this.issue(more);
    if (status !== 201 || body.status !== 'active') throw new Error(`no card: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async get(cardId: string): Promise<any> {
    return (await this.api.get(`/v4/cards/${cardId}`)).body;
  }

  act(cardId: string, action: string, body?: object, key?: string): Promise<Answer> {
    return this.api.post(`/v4/cards/${cardId}/${action}`, body, { key });
  }

  async advance(seconds: number): Promise<void> {
    const { status, body } = await this.api.post('/v4/sandbox/clock/advance', { seconds });
    if (status !== 200) throw new Error(`the clock stands still: ${JSON.stringify(body)}`);
  }

  /** Event types about a card, oldest first. */
  async events(cardId: string): Promise<string[]> {
    const all = await this.api.all('/v4/events?limit=100');
    return all
      .filter(({ data }) => data.object.id === cardId)
      .map(({ type }) => type as string)
      .reverse();
  }

  /** `from>to` of each change of state, oldest first. */
  async path(cardId: string): Promise<string[]> {
    const all = await this.api.all(`/v4/cards/${cardId}/transitions?limit=100`);
    return all.map(({ from, to }) => `${from}>${to}`).reverse();
  }

  /** Available and held, of the wallet and of the card. */
  async money(cardId?: string): Promise<{ wallet: [number, number]; card: [number, number] }> {
    const wallet = await this.api.balance(this.wallet);
    const card = cardId === undefined ? { available: 0, held: 0 } : (await this.get(cardId)).balance;
    return { wallet: [wallet.available, wallet.held], card: [card.available, card.held] };
  }
}
