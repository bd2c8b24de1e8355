import type { Company } from './company';

type Json = Record<string, any>;

const MERCHANT = {
  category: 'taxicabs_limousines',
  category_code: '4121',
  city: 'San Francisco',
  country: 'US',
  name: 'Rocket Rides',
  network_id: '1234567890',
  postal_code: '94107',
  state: 'CA',
  tax_id: null,
  terminal_id: null,
  url: null,
};

const WEBHOOK_MS = 2_000;

const now = (): number => Math.floor(Date.now() / 1_000);

/** What merchants do with cards, as the test helpers of Stripe's API play it: each deed sends its events, in order. */
export class Network {
  readonly transactions = new Map<string, Json>();
  /** Issuing's webhook timeout setting. */
  approvesUnanswered = false;

  constructor(private readonly company: Company) {}

  /** Null: there is no such helper, or nothing of that id. */
  async play(path: string, form: Json): Promise<Json | null> {
    const [, , , , kind, id, deed] = path.split('/').map(decodeURIComponent);
    if (kind === 'authorizations' && id === undefined) return this.authorize(form);
    if (kind === 'transactions' && id === 'create_force_capture') return this.forceCapture(form);
    if (kind === 'transactions' && id === 'create_unlinked_refund') return this.refundUnlinked(form);
    if (kind === 'transactions' && deed === 'refund') return this.refund(id!, form);
    const authorization = this.company.authorizations.get(id ?? '');
    if (kind !== 'authorizations' || authorization === undefined) return null;
    if (deed === 'capture') return this.capture(authorization, form);
    if (deed === 'increment') return this.increment(authorization, form);
    if (deed === 'reverse') return this.end(authorization, 'reversed', Number(form.reverse_amount ?? NaN));
    return deed === 'expire' ? this.end(authorization, 'expired', NaN) : null;
  }

  async authorize({
    card: cardId,
    amount,
    currency = 'usd',
    merchant_data: merchant,
    ...more
  }: Json): Promise<Json | null> {
    const card = this.company.cards.get(cardId);
    if (card === undefined) return null;
    const authorization: Json = {
      id: this.company.id('iauth'),
      object: 'issuing.authorization',
      amount: 0,
      amount_details: { atm_fee: null, cashback_amount: null },
      approved: false,
      authorization_method: 'online',
      balance_transactions: [],
      card,
      cardholder: card.cardholder.id,
      created: now(),
      currency,
      livemode: false,
      merchant_amount: 0,
      merchant_currency: more.merchant_currency ?? currency,
      merchant_data: { ...MERCHANT, ...merchant },
      metadata: {},
      pending_request: null,
      request_history: [],
      status: 'pending',
      transactions: [],
      verification_data: {},
      wallet: null,
    };
    this.company.authorizations.set(authorization.id, authorization);
    if (card.status !== 'active') this.decided(authorization, Number(amount), false, 'card_inactive');
    else await this.ask(authorization, Number(amount), more.is_amount_controllable === 'true');
    if (!authorization.approved) Object.assign(authorization, { amount: Number(amount), status: 'closed' });
    await this.tell('issuing_authorization.created', authorization);
    return authorization;
  }

  /** The real-time authorization: without an answer of use within two seconds it is declined. */
  private async ask(authorization: Json, amount: number, isControllable: boolean): Promise<boolean> {
    const { currency, merchant_currency: merchantCurrency } = authorization;
    authorization.pending_request = {
      amount,
      amount_details: { atm_fee: null, cashback_amount: null },
      currency,
      is_amount_controllable: isControllable,
      merchant_amount: amount,
      merchant_currency: merchantCurrency,
      network_risk_score: null,
    };
    const event = this.company.event('issuing_authorization.request', structuredClone(authorization));
    authorization.pending_request = null;
    const late = new Promise<null>((resolve) => setTimeout(resolve, WEBHOOK_MS, null).unref());
    const answer = await Promise.race([this.company.hear(event).catch(() => ({ status: 500, body: null })), late]);
    const told = answer?.status === 200 ? (answer.body as Json | null) : null;
    const reason = answer === null ? 'webhook_timeout' : 'webhook_error';
    if (typeof told?.approved !== 'boolean')
      return this.decided(authorization, amount, this.approvesUnanswered, reason);
    const given = told.amount ?? amount;
    return this.decided(authorization, given, told.approved, told.approved ? 'webhook_approved' : 'webhook_declined');
  }

  private decided(authorization: Json, amount: number, approved: boolean, reason: string): boolean {
    const { currency, merchant_currency: merchantCurrency } = authorization;
    const entry = { amount, approved, created: now(), currency, merchant_amount: amount, reason };
    authorization.request_history.push({ ...entry, merchant_currency: merchantCurrency });
    if (!approved) return false;
    authorization.approved = true;
    authorization.amount += amount;
    authorization.merchant_amount += amount;
    return true;
  }

  async increment(authorization: Json, { increment_amount: amount, ...more }: Json): Promise<Json> {
    const before = { amount: authorization.amount };
    await this.ask(authorization, Number(amount), more.is_amount_controllable === 'true');
    await this.tell('issuing_authorization.updated', authorization, before);
    return authorization;
  }

  async capture(authorization: Json, form: Json): Promise<Json> {
    const before = { amount: authorization.amount, status: authorization.status };
    const { capture_amount: given, close_authorization: closes = 'true' } = form;
    const amount = Number(given ?? authorization.amount);
    const transaction = this.transact('capture', -amount, authorization);
    authorization.transactions.push(transaction);
    if (closes === 'true') Object.assign(authorization, { status: 'closed', amount: 0 });
    await this.tell('issuing_transaction.created', transaction);
    await this.tell('issuing_authorization.updated', authorization, before);
    return authorization;
  }

  forceCapture({ amount, ...about }: Json): Promise<Json | null> {
    return this.transactUnasked('capture', -Number(amount), about);
  }

  refundUnlinked({ amount, ...about }: Json): Promise<Json | null> {
    return this.transactUnasked('refund', Number(amount), about);
  }

  private async transactUnasked(type: string, amount: number, about: Json): Promise<Json | null> {
    const { card, merchant_data: merchant } = about;
    if (!this.company.cards.has(card)) return null;
    const transaction = this.transact(type, amount, {
      id: null,
      card: { id: card },
      currency: 'usd',
      merchant_currency: 'usd',
      merchant_data: { ...MERCHANT, ...merchant },
    });
    await this.tell('issuing_transaction.created', transaction);
    return transaction;
  }

  async refund(id: string, { refund_amount: amount }: Json): Promise<Json | null> {
    const captured = this.transactions.get(id);
    if (captured === undefined) return null;
    const about = { ...captured, id: captured.authorization, card: { id: captured.card } };
    const transaction = this.transact('refund', Number(amount ?? -captured.amount), about);
    await this.tell('issuing_transaction.created', transaction);
    return transaction;
  }

  /** `part`: not a number where all of it is over. */
  private async end(authorization: Json, status: string, part: number): Promise<Json> {
    const before = { amount: authorization.amount, status: authorization.status };
    const isPart = part < authorization.amount;
    Object.assign(authorization, isPart ? { amount: authorization.amount - part } : { amount: 0, status });
    await this.tell('issuing_authorization.updated', authorization, before);
    return authorization;
  }

  private transact(type: string, amount: number, about: Json): Json {
    this.company.balance += BigInt(amount);
    const transaction = {
      id: this.company.id('ipi'),
      object: 'issuing.transaction',
      amount,
      amount_details: { atm_fee: null, cashback_amount: null },
      authorization: about.id,
      balance_transaction: null,
      card: about.card.id,
      created: now(),
      currency: about.currency,
      dispute: null,
      livemode: false,
      merchant_amount: amount,
      merchant_currency: about.merchant_currency,
      merchant_data: about.merchant_data,
      metadata: {},
      type,
    };
    this.transactions.set(transaction.id, transaction);
    return transaction;
  }

  /** Stripe sends what is not answered with 200 again: here once, so that a test sees it. */
  private async tell(type: string, object: Json, before?: Json): Promise<void> {
    const event = this.company.event(type, structuredClone(object), before ? { before } : {});
    await this.company.hear(event).catch(() => null);
  }
}
