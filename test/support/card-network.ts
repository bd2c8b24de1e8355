import { DataSource } from 'typeorm';
import { decodeId, encodeId } from '../../src/core/http/ids';
import type { Api } from './api';
import { cardholder } from './cardholder';
import type { Answer } from './contract';
import type { Duka } from './duka';

export interface CardTraits {
  readonly controls?: object;
  readonly warnAt?: number | null;
  readonly terminateAt?: number | null;
}

/** An account with a card, and the network that the card is used in. */
export class CardNetwork {
  private constructor(
    private readonly duka: Duka,
    private readonly account: { readonly api: Api; readonly wallet: string },
    /** Uuid and mode, as services take them. */
    readonly owner: { accountId: string; livemode: false },
    /** Uuid of the card. */
    readonly cardId: string,
  ) {}

  /** A card with `amount` cents. */
  static async in(
    duka: Duka,
    amount: number,
    { controls, warnAt = 5, terminateAt = 8 }: CardTraits = {},
  ): Promise<CardNetwork> {
    const { id, api } = await duka.account();
    const wallet = await api.wallet(amount + 1_000, 'USD');
    const issued = await api.post('/v4/cards/issue', {
      customer: cardholder('Okafor'),
      currency: 'USD',
      amount,
      funding_wallet_id: wallet,
      spending_controls: controls,
    });
    if (issued.status !== 201) throw new Error(`no card was issued: ${issued.status} ${JSON.stringify(issued.body)}`);
    const network = new CardNetwork(
      duka,
      { api, wallet },
      { accountId: decodeId('acct', id)!, livemode: false },
      decodeId('crd', issued.body.id)!,
    );
    await network.query('UPDATE cards SET warn_at = $2, terminate_at = $3 WHERE id = $1', [
      network.cardId,
      warnAt,
      terminateAt,
    ]);
    return network;
  }

  /** The same card, seen through another process of the deployment. */
  through(other: Duka): CardNetwork {
    return new CardNetwork(other, { ...this.account, api: other.api(this.api.secret) }, this.owner, this.cardId);
  }

  get api(): Api {
    return this.account.api;
  }

  /** What is sent to have such a card issued, but for the money. */
  get order(): object {
    return { customer: cardholder('Okafor'), currency: 'USD' };
  }

  /** What the wallet that paid the card has, in cents. */
  async wallet(): Promise<number> {
    return (await this.api.balance(this.account.wallet)).available;
  }

  get card(): string {
    return encodeId('crd', this.cardId);
  }

  /** Plays a message of the network. */
  simulate(kind: string, body: object = {}, key?: string): Promise<Answer> {
    return this.api.post(`/v4/sandbox/cards/${this.card}/simulate`, { kind, ...body }, { key });
  }

  /** The card transaction that a message made; throws unless it did. */
  async done(kind: string, body: object = {}): Promise<any> {
    const answer = await this.simulate(kind, body);
    if (answer.status !== 201) throw new Error(`${kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  step(kind: string, id: string, amount?: number): Promise<Answer> {
    return this.simulate(kind, { card_transaction_id: id, amount });
  }

  list(query = ''): Promise<any[]> {
    return this.api.all(`/v4/cards/${this.card}/transactions?limit=100${query}`);
  }

  async get(id: string): Promise<any> {
    return (await this.list()).find((one) => one.id === id);
  }

  /** `[available, held]` of the card, in cents. */
  async balance(): Promise<[number, number]> {
    const [{ available, held }] = await this.query('SELECT available, held FROM ledger_accounts WHERE id = $1', [
      this.cardId,
    ]);
    return [Number(available), Number(held)];
  }

  /** What issuers of test mode were paid, in cents; of all accounts. */
  async issued(): Promise<number> {
    const [{ sum }] = await this.query(
      `SELECT coalesce(sum(available), 0) AS sum FROM ledger_accounts WHERE starts_with(name, 'card_issuer:') AND NOT livemode`,
    );
    return Number(sum);
  }

  /** Types of the events about something, oldest first. */
  async eventsOf(id: string): Promise<string[]> {
    const all = await this.api.all('/v4/events?limit=100');
    return all
      .filter(({ data }) => data.object.id === id)
      .map(({ type }) => type as string)
      .reverse();
  }

  async pass(seconds: number): Promise<void> {
    const { status, body } = await this.api.post('/v4/sandbox/clock/advance', { seconds });
    if (status !== 200) throw new Error(`the clock stands still: ${JSON.stringify(body)}`);
  }

  query(text: string, values: unknown[] = []): Promise<any[]> {
    return this.duka.app.get(DataSource).query(text, values);
  }
}
