import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { newId } from '../../../src/core/http/ids';
import type { CallbackRequest } from '../../../src/providers/answers';
import { type Heard, Pretended, send } from '../pretended';

export type Json = Record<string, any>;

/** What it does about a reference, the first time that it is asked to make something of it. */
export type BridgecardDeed =
  | 'issues'
  /** The cardholder is blacklisted. */
  | 'refuses'
  | 'stays_silent'
  | 'locks_us_out'
  | 'talks_nonsense'
  /** The cardholder is looked at, until `verify`. */
  | 'reviews'
  /** Registers the cardholder, and nothing of its answer arrives. */
  | 'registers_silently'
  /** Makes the card, and does not list it yet. */
  | 'hides';

/** Answers to the order of a card that prove nothing; each is sent once in turn. */
export const NONSENSE: readonly ((response: ServerResponse, card: Json) => void)[] = [
  (response) => response.writeHead(502).end('<html>Bad gateway</html>'),
  (response) => send(response, 201, ''),
  (response) => send(response, 201, 'null'),
  (response, card) => send(response, 500, ok('The card was created', { card_id: card.card_id })),
  (response) => send(response, 201, ok('The card was created', {})),
  (response) => send(response, 201, ok('The card was created', { card_id: '../../elsewhere' })),
  (response, card) => send(response, 201, { status: 'pending', data: { card_id: card.card_id } }),
  (response) => send(response, 400, { message: 'Words of next year.' }),
  (response) => send(response, 400, { message: 'This transaction reference exists please enter another reference' }),
  (response) => send(response, 420, { message: 'You are too fast.' }),
  (response) => send(response, 422, { detail: [{ msg: 'field required' }] }),
  (response) => send(response, 504, { message: 'Gateway Timeout' }),
  (response) => void response.socket!.destroy(),
];

const PAGE = 20;
/** Of a page with nothing on it there is one. */
const pagesOf = (all: readonly unknown[]): number => Math.max(1, Math.ceil(all.length / PAGE));

/**
 * Bridgecard Issuing as its documentation describes it: sentences instead of codes, lists in pages, amounts as text,
 * cards that are made with a minimum, and a secret in a header of its webhooks that says nothing of their bodies.
 */
export class Company extends Pretended {
  readonly token = 'at_test_pretended';
  readonly secretKey = 'sk_test_pretended';
  readonly webhookSecret = 'whsec_pretended';
  /** Objects by their id. */
  readonly holders = new Map<string, Json>();
  readonly cards = new Map<string, Json>();
  /** By the client's reference. */
  readonly transactions = new Map<string, Json>();
  /** Which token shows which card. */
  readonly revealing = new Map<string, string>();
  /** Cents of the issuing wallet. */
  wallet = 1_000_000n;
  /** So many funds and unloads from now on fail, after they were begun. */
  failing = 0;
  /** Funds and unloads stay under way. */
  isSlow = false;
  /** Funds and unloads are taken once in five minutes for a card. */
  isHasty = false;
  /** Who hears its webhooks: Duka, where its address is known. */
  hear: (callback: CallbackRequest) => Promise<number | null> = (callback) => this.callBack(callback);
  private readonly plans = new Map<string, BridgecardDeed>();
  private readonly hidden = new Set<string>();
  private isLocked = false;
  private nonsense = 0;

  get settings(): Readonly<Record<string, string>> {
    return {
      BRIDGECARD_URL: `${this.url}v1/issuing/`,
      BRIDGECARD_RELAY_URL: `${this.url}relay/v1/issuing/`,
      BRIDGECARD_TOKEN: this.token,
      BRIDGECARD_SECRET_KEY: this.secretKey,
      BRIDGECARD_WEBHOOK_SECRET: this.webhookSecret,
    };
  }

  plan(reference: string, deed: BridgecardDeed): void {
    this.plans.set(reference, deed);
  }

  made(reference: string): number {
    return [...this.cards.values()].filter(({ meta_data }) => meta_data.reference === reference).length;
  }

  /** The review of a cardholder ends. */
  verify(reference: string): void {
    for (const holder of this.holders.values())
      if (holder.meta_data?.reference === reference) holder.is_id_verified = true;
  }

  /** From now on the kind of nonsense with this number. */
  turnTo(kind: number): void {
    this.nonsense = kind;
  }

  /** Cards that were hidden are listed. */
  unhide(): void {
    this.hidden.clear();
  }

  /** A webhook as it is sent. */
  event(event: string, data: Json, secretKey = this.secretKey): CallbackRequest {
    const signature = encrypted(this.webhookSecret, secretKey);
    return { body: Buffer.from(JSON.stringify({ event, data })), headers: { 'x-webhook-signature': signature } };
  }

  /** A merchant takes money, if the card has it and may; then it is told. */
  async pay(card: Json, amount: bigint, reference = newId()): Promise<Json | null> {
    if (!card.is_active || card.is_deleted || BigInt(card.available_balance) < amount) return null;
    this.add(card, -amount);
    const transaction = this.record(card, 'DEBIT', amount, { reference, description: 'Amazon US', mcc: '5942' });
    await this.tell('card_debit_event.successful', transaction);
    return transaction;
  }

  /** And gives some of it back. */
  async reverse({ card_id: id, client_transaction_reference: paid }: Json, amount: bigint): Promise<Json> {
    const card = this.cards.get(id)!;
    this.add(card, amount);
    const more = { reference: `${paid}_REVERSAL`, description: 'Amazon US', mcc: '5942' };
    const transaction = this.record(card, 'CREDIT', amount, more);
    await this.tell('card_reversal_event.successful', transaction);
    return transaction;
  }

  tell(event: string, transaction: Json): Promise<number | null> {
    const { client_transaction_reference: reference, bridgecard_transaction_reference: _, ...data } = transaction;
    return this.hear(this.event(event, { ...data, transaction_reference: reference, livemode: true }));
  }

  private async callBack({ body, headers }: CallbackRequest): Promise<number | null> {
    if (this.callbackUrl === null) return null;
    const url = new URL('callbacks/cards/bridgecard', this.callbackUrl.replace(/\/?$/, '/'));
    const sent = { 'content-type': 'application/json', 'x-webhook-signature': headers['x-webhook-signature']! };
    return (await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) })).status;
  }

  protected async answer(heard: Heard, response: ServerResponse): Promise<void> {
    const { method, path, headers } = heard;
    if (path === '/relay/v1/issuing/cards/get_card_details_from_token') return this.relay(heard, response);
    if (headers.token !== `Bearer ${this.token}`) return fail(response, 401, 'Invalid token');
    const [, version, product, ...rest] = path.split('/').map(decodeURIComponent);
    if (version !== 'v1' || product !== 'issuing') return fail(response, 404, 'Not Found');
    if (this.isLocked) return fail(response, 403, 'Your account has been suspended, please contact support');
    const name = `${method} ${rest.slice(0, 2).join('/')}`;
    if (!Object.hasOwn(this.routes, name)) return fail(response, 404, 'Not Found');
    await this.routes[name]!(heard, response, rest[2]);
  }

  private readonly routes: Record<string, (heard: Heard, response: ServerResponse, id?: string) => unknown> = {
    'POST cardholder/register_cardholder': (heard, response) => this.register(heard.body as Json, response),
    'GET cardholder/get_cardholder': ({ query }, response) => {
      const holder = this.holders.get(query.get('cardholder_id') ?? '');
      if (!holder) return fail(response, 400, "Invalid cardholder ID, there's no cardholder with this ID.");
      return send(response, 200, ok('cardholder details fetched successfully.', holder));
    },
    'GET cards/get_all_cardholder': ({ query }, response) => {
      const page = Number(query.get('page') ?? 1);
      const all = [...this.holders.values()];
      const meta = { total: all.length, pages: pagesOf(all), previous: null, next: null };
      const cardholders = all.slice((page - 1) * PAGE, page * PAGE);
      return send(response, 200, ok('All your cardholders have been fetched successfully', { cardholders, meta }));
    },
    'POST cards/create_card': (heard, response) => this.create(heard.body as Json, response),
    'GET cards/get_card_details': (heard, response) =>
      this.with(heard, response, (card) => send(response, 200, ok('Card details was fetched successfully', card))),
    'GET cards/get_all_cardholder_cards': ({ query }, response) => {
      const all = [...this.cards.values()].filter(
        (card) => card.cardholder_id === query.get('cardholder_id') && !this.hidden.has(card.card_id),
      );
      const cards = all.map(({ meta_data: _, ...card }) => card);
      const says = 'All the cards for this cardholder have been fetched successfully';
      return send(response, 200, ok(says, { cards, total: all.length }));
    },
    'PATCH cards/freeze_card': (heard, response) =>
      this.with(heard, response, (card) => this.turn(card, false, response)),
    'PATCH cards/unfreeze_card': (heard, response) =>
      this.with(heard, response, (card) => this.turn(card, true, response)),
    'PATCH cards/fund_card_asynchronously': (heard, response) => this.move(heard, 'fund', response),
    'PATCH cards/unload_card_asynchronously': (heard, response) => this.move(heard, 'unload', response),
    'DELETE cards/delete_card': (_heard, response, id) => this.delete(id ?? '', response),
    'GET cards/generate_token_for_card_details': (heard, response) =>
      this.with(heard, response, ({ card_id: id }) => {
        const token = randomBytes(16).toString('hex');
        this.revealing.set(token, id);
        return send(response, 200, ok('Token generated successfully', { token }));
      }),
    'GET cards/get_card_transaction_status': ({ query }, response) => {
      const move = this.transactions.get(query.get('client_transaction_reference') ?? '');
      if (!move || move.card_id !== query.get('card_id')) return fail(response, 400, 'Invalid transaction reference');
      const data = { transaction_status: move.status };
      return send(response, 200, ok('Transaction status fetched successfully', data));
    },
    'GET cards/get_card_transaction_by_id': ({ query }, response) => {
      const of = (name: string) =>
        query.has(name) ? [...this.transactions.values()].find((one) => one[name] === query.get(name)) : undefined;
      const found = of('client_transaction_reference') ?? of('bridgecard_transaction_reference');
      if (!found || found.card_id !== query.get('card_id')) return fail(response, 400, 'Invalid transaction reference');
      return send(response, 200, ok('Card transaction was fetched successfully', found));
    },
    'GET cards/get_issuing_wallet_balance': (_heard, response) =>
      send(response, 200, ok('Issuing wallet balance fetched', { issuing_balance_USD: String(this.wallet) })),
    'PATCH cards/fund_issuing_wallet': (heard, response) => {
      this.wallet += BigInt((heard.body as Json).amount);
      return send(response, 200, { status: 'success', message: 'Your issuing wallet was funded successfully' });
    },
    'PATCH cards/mock_debit_transaction': async (heard, response) => {
      const { card_id: id, amount = '100' } = heard.body as Json;
      const card = this.cards.get(id);
      if (!card) return fail(response, 400, "Invalid card ID, there's no card with this ID.");
      const paid = await this.pay(card, BigInt(amount));
      if (!paid) return fail(response, 402, 'This card does not have enough funds to perform this operation');
      const data = { card_id: id, transaction_reference: paid.client_transaction_reference };
      return send(response, 200, ok('Debit transaction was done Successfully', data));
    },
  };

  private with({ query }: Heard, response: ServerResponse, then: (card: Json) => unknown): unknown {
    const card = this.cards.get(query.get('card_id') ?? '');
    return card ? then(card) : fail(response, 400, "Invalid card ID, there's no card with this ID.");
  }

  private register(form: Json, response: ServerResponse): void {
    const { identity, ...rest } = form;
    if (!identity || typeof form.first_name !== 'string')
      return send(response, 422, { detail: [{ msg: 'field required' }] });
    const number = identity.bvn ?? identity.id_no;
    if (form.first_name.length < 3)
      return fail(response, 400, 'Invalid firstname, a valid name should have a minimum of 3 letters');
    if (identity.id_type === 'NIGERIAN_BVN_VERIFICATION' && !/^\d{11}$/.test(identity.bvn))
      return fail(response, 400, 'Invalid BVN, a valid BVN is 12 digits long');
    if ([...this.holders.values()].some(({ identity_details: one }) => one.id_no === number))
      return fail(response, 400, 'A cardholder already exists with this BVN');
    const deed = this.plans.get(form.meta_data?.reference);
    const holder = {
      ...rest,
      cardholder_id: randomBytes(16).toString('hex'),
      created_at: Math.floor(Date.now() / 1_000),
      is_active: true,
      is_id_verified: deed !== 'reviews' && deed !== 'refuses',
      identity_details: {
        blacklisted: deed === 'refuses',
        date_of_birth: '1990-04-21',
        id_no: number,
        id_type: identity.id_type,
      },
      issuing_app_id: '9ujinoncpsni3943198393939930ke',
    };
    this.holders.set(holder.cardholder_id, holder);
    if (deed === 'registers_silently') return;
    const says =
      "cardholder created successfully, you'll receive a webhook event when this user's identity has been verified.";
    send(response, 201, ok(says, { cardholder_id: holder.cardholder_id }));
  }

  private create(form: Json, response: ServerResponse): void {
    const holder = this.holders.get(form.cardholder_id);
    if (!holder) return fail(response, 400, "Invalid cardholder ID, there's no cardholder with this ID.");
    if (!holder.is_id_verified)
      return fail(response, 400, 'This cardholder has not had their ID verified yet and so cannot be issued a card.');
    if (form.card_brand !== 'Mastercard' || form.card_type !== 'virtual')
      return fail(response, 400, "This card type is currently unavailable, but we're working on it.");
    const funding = BigInt(form.funding_amount);
    if (funding > this.wallet) return fail(response, 402, POOR);
    if (this.transactions.has(form.transaction_reference)) return fail(response, 400, EXISTS);
    const kept = form.card_limit === '1000000' ? 400n : 300n;
    if (funding < kept) return fail(response, 400, `The minimum amount to fund this card with is $${kept / 100n}`);
    if (funding > BigInt(form.card_limit))
      return fail(response, 400, 'This card can only hold a maximum balance of 5000 USD at a time.');
    const card = this.make(form, { holder, kept });
    this.wallet -= funding;
    this.add(card, funding - kept);
    this.record(card, 'CREDIT', funding, { reference: form.transaction_reference, description: 'Virtual dollar card' });
    this.say(card, response);
  }

  private make({ cardholder_id, card_limit, meta_data }: Json, { holder, kept }: { holder: Json; kept: bigint }): Json {
    const sealed = () => `ev:RFVC:${randomBytes(12).toString('base64')}:${randomBytes(33).toString('base64')}:$`;
    const card = {
      card_id: randomBytes(16).toString('hex'),
      card_number: sealed(),
      cvv: sealed(),
      expiry_month: sealed(),
      expiry_year: sealed(),
      card_name: `${holder.first_name} ${holder.last_name}`,
      card_type: 'virtual',
      brand: 'Mastercard',
      card_currency: 'USD',
      card_limit,
      last_4: String(1_000 + (this.cards.size % 9_000)),
      is_active: true,
      is_deleted: false,
      livemode: true,
      balance: String(kept),
      available_balance: '0',
      book_balance: String(kept),
      blocked_due_to_fraud: false,
      pin_3ds_activated: true,
      cardholder_id,
      meta_data: meta_data ?? {},
    };
    this.cards.set(card.card_id, card);
    return card;
  }

  /** How it answers the order of a card, where that is not with the card. */
  private say(card: Json, response: ServerResponse): void {
    const deed = this.plans.get(card.meta_data.reference);
    if (deed === 'locks_us_out') this.isLocked = true;
    if (deed === 'hides') this.hidden.add(card.card_id);
    if (deed === 'locks_us_out' || deed === 'stays_silent' || deed === 'hides') return;
    if (deed === 'talks_nonsense') return NONSENSE[this.nonsense++ % NONSENSE.length]!(response, card);
    const data = { card_id: card.card_id, currency: 'USD' };
    send(response, 201, ok('The Mastercard USD card was created successfully', data));
  }

  private turn(card: Json, isActive: boolean, response: ServerResponse): void {
    if (card.is_deleted) return fail(response, 400, "Invalid card ID, there's no card with this ID.");
    if (card.is_active === isActive)
      return fail(response, 400, `This card is already ${isActive ? 'unfrozen' : 'frozen'}`);
    card.is_active = isActive;
    const says = `This card has been ${isActive ? 'unfrozen' : 'frozen'} successfully`;
    send(response, 200, ok(says, { card_id: card.card_id }));
  }

  private move({ body }: Heard, direction: 'fund' | 'unload', response: ServerResponse): void {
    const { card_id: id, amount: text, transaction_reference: reference, currency } = body as Json;
    const card = this.cards.get(id);
    if (!card || card.is_deleted) return fail(response, 400, "Invalid card ID, there's no card with this ID.");
    if (this.transactions.has(reference)) return fail(response, 400, EXISTS);
    const amount = BigInt(text);
    if (this.isHasty && (card.moved_at ?? 0) > Date.now() - 300_000)
      return fail(response, 420, 'You can only fund a card once every 5 minutes, please try again later.');
    if (currency !== 'USD') return fail(response, 400, 'Invalid currency');
    if (direction === 'fund' && amount > this.wallet) return fail(response, 402, POOR);
    if (direction === 'fund' && amount + BigInt(card.balance) > BigInt(card.card_limit))
      return fail(response, 400, 'This card can only hold a maximum balance of 5000 USD at a time.');
    if (direction === 'unload' && amount > BigInt(card.available_balance))
      return fail(response, 402, "This card doesn't have enough funds to sufficient balance to perform this operation");
    card.moved_at = Date.now();
    const move = this.record(card, direction === 'fund' ? 'CREDIT' : 'DEBIT', amount, { reference });
    move.status = this.failing-- > 0 ? 'FAILED' : this.isSlow ? 'PENDING' : 'SUCCESSFUL';
    this.failing = Math.max(0, this.failing);
    if (move.status === 'SUCCESSFUL') this.finish(move);
    const says = `Card ${direction === 'fund' ? 'funding' : 'unloading'} in progress`;
    send(response, 202, ok(says, { card_id: id, transaction_reference: reference }));
  }

  /** What was under way is done. */
  finish(move: Json): void {
    const card = this.cards.get(move.card_id)!;
    const amount = BigInt(move.amount) * (move.card_transaction_type === 'CREDIT' ? 1n : -1n);
    move.status = 'SUCCESSFUL';
    this.wallet -= amount;
    this.add(card, amount);
  }

  private add(card: Json, amount: bigint): void {
    for (const name of ['balance', 'available_balance', 'book_balance'])
      card[name] = String(BigInt(card[name]) + amount);
  }

  private record(card: Json, type: 'DEBIT' | 'CREDIT', amount: bigint, more: Json): Json {
    const { reference, description = '', mcc } = more;
    const transaction = {
      amount: String(amount),
      card_id: card.card_id,
      cardholder_id: card.cardholder_id,
      card_transaction_type: type,
      client_transaction_reference: reference,
      bridgecard_transaction_reference: randomBytes(16).toString('hex'),
      currency: 'USD',
      description,
      livemode: true,
      status: 'SUCCESSFUL',
      transaction_date: new Date().toISOString().slice(0, 19).replace('T', ' '),
      transaction_timestamp: Math.floor(Date.now() / 1_000),
      ...(mcc !== undefined && { merchant_category_code: mcc }),
    };
    this.transactions.set(reference, transaction);
    return transaction;
  }

  private delete(id: string, response: ServerResponse): void {
    const card = this.cards.get(id);
    if (!card || card.is_deleted) return fail(response, 400, "Invalid card ID, there's no card with this ID.");
    this.wallet += BigInt(card.balance);
    Object.assign(card, {
      is_active: false,
      is_deleted: true,
      balance: '0',
      available_balance: '0',
      book_balance: '0',
    });
    send(response, 200, ok('This card has been deleted successfully', { card_id: id }));
  }

  /** As browsers see it: numbers that no card has. */
  private relay({ query }: Heard, response: ServerResponse): void {
    const card = this.cards.get(this.revealing.get(query.get('token') ?? '') ?? '');
    response.setHeader('access-control-allow-origin', '*');
    if (!card) return fail(response, 400, 'Invalid token');
    const opened = { card_number: `000000000000${card.last_4}`, cvv: '000', expiry_month: '8', expiry_year: '2030' };
    send(response, 200, ok('Card details was fetched successfully', { ...card, ...opened }));
  }
}

const EXISTS = 'This transaction reference exists please enter another reference';
const POOR = 'Please top up your USD issuing wallet, you have insufficient balance';

const ok = (message: string, data: Json): Json => ({ status: 'success', message, data });

const fail = (response: ServerResponse, status: number, message: string): void => send(response, status, { message });

/** As AES-Everywhere does. */
export function encrypted(text: string, password: string, salt = randomBytes(8)): string {
  let [made, last] = [Buffer.alloc(0), Buffer.alloc(0)];
  while (made.length < 48) {
    last = createHash('md5')
      .update(Buffer.concat([last, Buffer.from(password), salt]))
      .digest();
    made = Buffer.concat([made, last]);
  }
  const cipher = createCipheriv('aes-256-cbc', made.subarray(0, 32), made.subarray(32));
  return Buffer.concat([Buffer.from('Salted__'), salt, cipher.update(text), cipher.final()]).toString('base64');
}
