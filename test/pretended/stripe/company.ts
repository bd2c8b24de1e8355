import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { newId } from '../../../src/core/http/ids';
import type { CallbackRequest } from '../../../src/providers/answers';
import { type Heard, Pretended, send, type StatementLine } from '../pretended';
import { Network } from './network';

type Json = Record<string, any>;

/** What it does about a reference, the first time that it is asked to make something of it. */
export type StripeDeed =
  | 'issues'
  /** The cardholder is on a list of sanctions. */
  | 'refuses'
  | 'stays_silent'
  | 'locks_us_out'
  | 'talks_nonsense'
  /** The cardholder is looked at, until `clear`. */
  | 'reviews'
  /** Needs more of the cardholder than it got. */
  | 'wants_more'
  /** Says a sentence of 400 about the phone number. */
  | 'dislikes_phone'
  /** Breaks with a 500 before it has done anything, and answers so for as long as the key lives. */
  | 'breaks';

/** Answers to the order of a card that prove nothing; each is sent once in turn. */
export const NONSENSE: readonly ((response: ServerResponse, card: Json) => void)[] = [
  (response) => response.writeHead(502).end('<html>Bad gateway</html>'),
  (response) => send(response, 200, ''),
  (response) => send(response, 200, 'null'),
  (response, card) => send(response, 500, card),
  (response, card) => send(response, 200, { ...card, metadata: {} }),
  (response, card) => send(response, 200, { ...card, metadata: { reference: 'somebody-elses' } }),
  (response, card) => send(response, 200, { ...card, status: 'sleeping' }),
  (response, card) => send(response, 200, { ...card, last4: undefined }),
  (response, card) => send(response, 200, { ...card, exp_month: '08' }),
  (response, card) => send(response, 200, { ...card, object: 'issuing.cardholder' }),
  (response, card) => send(response, 200, { ...card, id: '' }),
  (response, card) => send(response, 200, { ...card, type: 'physical' }),
  (response) => fail(response, 400, { type: 'idempotency_error', message: 'Keys for idempotent requests…' }),
  (response) => fail(response, 409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }),
  (response) => fail(response, 429, { type: 'invalid_request_error', code: 'rate_limit' }),
  (response) => fail(response, 400, { type: 'invalid_request_error', message: 'Words of next year.' }),
  (response) => fail(response, 402, { type: 'card_error', param: 'name' }),
  (response) => fail(response, 500, { type: 'api_error', param: 'name' }),
  (response) => fail(response, 401, { type: 'authentication_required' }),
  (response) => void response.socket!.destroy(),
];

const DEFAULT_REQUIREMENTS = { disabled_reason: null, past_due: [] };

/**
 * Stripe Issuing as its documentation describes it: forms with brackets, answers that are repeated for an idempotency
 * key (a failure too, a refused parameter not), lists newest first, disputes that are drafts at first.
 */
export class Company extends Pretended {
  readonly key = 'sk_test_pretended';
  readonly webhookSecret = 'whsec_pretended';
  /** Objects by their id. */
  readonly holders = new Map<string, Json>();
  readonly cards = new Map<string, Json>();
  readonly authorizations = new Map<string, Json>();
  readonly disputes = new Map<string, Json>();
  /** What an idempotency key was answered. Stripe forgets them after 24 hours: clear it. */
  readonly answered = new Map<string, { readonly form: string; readonly status: number; readonly body: Json }>();
  /** Cents of the Issuing balance, open authorizations included. */
  balance = 1_000_000n;
  readonly network = new Network(this);
  /** Who hears its events: Duka, where its address is known. */
  hear: (callback: CallbackRequest) => Promise<{ status: number; body: unknown } | null> = (callback) =>
    this.callBack(callback);
  private readonly plans = new Map<string, StripeDeed>();
  private isLocked = false;
  private nonsense = 0;
  private serial = 0;

  get settings(): Readonly<Record<string, string>> {
    return {
      STRIPE_URL: `${this.url}v1/`,
      STRIPE_KEY: this.key,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_pretended',
    };
  }

  /** Of the Issuing balance. */
  get statement(): StatementLine[] {
    const won = [...this.disputes.values()].filter(({ status }) => status === 'won');
    return [
      ...[...this.network.transactions.values()].map(({ id, amount }) => ({ reference: id, amount: BigInt(-amount) })),
      ...won.map(({ id, amount }) => ({ reference: id, amount: BigInt(-amount) })),
    ];
  }

  plan(reference: string, deed: StripeDeed): void {
    this.plans.set(reference, deed);
  }

  made(reference: string): number {
    return [...this.cards.values()].filter(({ metadata }) => metadata.reference === reference).length;
  }

  /** The review of a cardholder ends. */
  clear(reference: string, reason: string | null = null): void {
    for (const holder of this.holders.values())
      if (holder.metadata.reference === reference) holder.requirements = { disabled_reason: reason, past_due: [] };
  }

  /** An event as it is sent, signed now or at another second. */
  event(type: string, object: Json, { before, secret = this.webhookSecret, at = Date.now() }: EventOptions = {}) {
    const event = {
      id: this.id('evt'),
      object: 'event',
      api_version: '2026-07-29.dahlia',
      created: Math.floor(at / 1_000),
      data: { object, ...(before && { previous_attributes: before }) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
    };
    return signed(JSON.stringify(event), secret, Math.floor(at / 1_000));
  }

  id(prefix: string): string {
    this.serial += 1;
    return `${prefix}_${newId().replaceAll('-', '').slice(0, 20)}${String(this.serial).padStart(4, '0')}`;
  }

  private async callBack({ body, headers }: CallbackRequest): Promise<{ status: number; body: unknown } | null> {
    if (this.callbackUrl === null) return null;
    const url = new URL('callbacks/cards/stripe', this.callbackUrl.replace(/\/?$/, '/'));
    const signature = headers['stripe-signature']!;
    const sent = { 'content-type': 'application/json', 'stripe-signature': signature };
    const answer = await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) });
    const text = await answer.text();
    // An answer without its version is none to Stripe.
    const isAnswer = answer.status === 200 && answer.headers.has('stripe-version');
    return { status: isAnswer ? 200 : answer.status, body: isAnswer ? JSON.parse(text) : null };
  }

  protected async answer(heard: Heard, response: ServerResponse): Promise<void> {
    if (heard.headers.authorization !== `Bearer ${this.key}`)
      return fail(response, 401, {
        type: 'invalid_request_error',
        message: 'Invalid API Key provided: sk_test_****ded',
      });
    if (heard.headers['stripe-version'] !== '2026-07-29.dahlia')
      return fail(response, 400, { type: 'invalid_request_error', message: 'Invalid Stripe API version' });
    const [, version, , kind = '', id, deed] = heard.path.split('/').map(decodeURIComponent);
    if (version === 'v1' && heard.path === '/v1/ephemeral_keys') return this.ephemeralKey(heard, response);
    if (heard.path.startsWith('/v1/test_helpers/issuing/')) {
      const played = await this.network.play(heard.path, unflat(heard.text));
      return played === null ? unknownUrl(heard, response) : send(response, 200, played);
    }
    if (heard.path === '/v1/balance') return send(response, 200, this.balanceBody());
    const objects = this.objectsOf(kind);
    if (version !== 'v1' || objects === null) return unknownUrl(heard, response);
    if (this.isLocked && heard.method === 'GET')
      return fail(response, 403, { type: 'invalid_request_error', message: 'Your account is suspended.' });
    if (heard.method === 'GET')
      return id === undefined ? this.list(heard, objects, response) : show(objects, id, response);
    return this.once(heard, response, () => this.carryOut(kind, { id, deed, form: unflat(heard.text) }));
  }

  private balanceBody(): Json {
    const open = [...this.authorizations.values()].filter(({ status }) => status === 'pending');
    const reserved = open.reduce((sum, { amount }) => sum + Number(amount), 0);
    const of = (amount: number) => [{ amount, currency: 'usd' }];
    const available = of(Number(this.balance) - reserved);
    return { object: 'balance', available: of(0), issuing: { available }, livemode: false, pending: of(0) };
  }

  private objectsOf(kind: string): Map<string, Json> | null {
    const all: Record<string, Map<string, Json>> = {
      cardholders: this.holders,
      cards: this.cards,
      authorizations: this.authorizations,
      disputes: this.disputes,
    };
    return all[kind] ?? null;
  }

  /** A key is remembered once the work has begun: a refused parameter is not, a failure is. */
  private once(heard: Heard, response: ServerResponse, work: () => Done): void {
    const key = heard.headers['idempotency-key'] as string | undefined;
    const before = key === undefined ? undefined : this.answered.get(key);
    if (before && before.form !== heard.text)
      return fail(response, 400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      });
    if (before) return send(response.setHeader('idempotent-replayed', 'true'), before.status, before.body);
    const { status, body, say } = work();
    const isValidated = status !== 400;
    if (key !== undefined && isValidated)
      this.answered.set(key, { form: heard.text, status, body: structuredClone(body) });
    if (say === undefined) return send(response, status, body);
    say(response);
  }

  private carryOut(kind: string, { id, deed, form }: { id?: string; deed?: string; form: Json }): Done {
    if (kind === 'cardholders') return this.makeHolder(form);
    if (kind === 'cards') return id === undefined ? this.makeCard(form) : this.changeCard(id, form);
    if (kind === 'disputes') return deed === 'submit' ? this.submit(id!) : this.makeDispute(form);
    return { status: 404, body: {} };
  }

  private makeHolder(form: Json): Done {
    const deed = this.plans.get(form.metadata?.reference);
    if (deed === 'breaks')
      return { status: 500, body: { error: { type: 'api_error', message: 'An error occurred.' } } };
    const missing = ['name', 'billing'].find((field) => form[field] === undefined);
    if (missing) return invalid(missing, 'parameter_missing');
    if (form.name.length > 24) return invalid('name');
    if (/\d/.test(form.individual?.first_name ?? '')) return invalid('individual[first_name]');
    if (deed === 'dislikes_phone') return invalid('phone_number');
    const requirements: Record<string, object> = {
      refuses: { disabled_reason: 'rejected.listed', past_due: [] },
      reviews: { disabled_reason: 'under_review', past_due: [] },
      wants_more: {
        disabled_reason: 'requirements.past_due',
        past_due: ['individual.card_issuing.user_terms_acceptance.date'],
      },
    };
    const holder = {
      id: this.id('ich'),
      object: 'issuing.cardholder',
      billing: form.billing,
      company: null,
      created: Math.floor(Date.now() / 1_000),
      email: form.email ?? null,
      individual: form.individual ?? null,
      livemode: false,
      metadata: form.metadata ?? {},
      name: form.name,
      phone_number: form.phone_number ?? null,
      preferred_locales: [],
      requirements: requirements[deed ?? ''] ?? DEFAULT_REQUIREMENTS,
      spending_controls: {},
      status: 'active',
      type: form.type,
    };
    this.holders.set(holder.id, holder);
    return { status: 200, body: holder };
  }

  private makeCard(form: Json): Done {
    const holder = this.holders.get(form.cardholder);
    if (holder === undefined) return invalid('cardholder', 'resource_missing');
    if (holder.phone_number === null)
      return {
        status: 400,
        body: {
          error: { type: 'invalid_request_error', code: 'cardholder_phone_number_required', message: 'You cannot…' },
        },
      };
    const card = {
      id: this.id('ic'),
      object: 'issuing.card',
      brand: 'Visa',
      cancellation_reason: null,
      cardholder: holder,
      created: Math.floor(Date.now() / 1_000),
      currency: form.currency,
      exp_month: 8,
      exp_year: 2030,
      last4: String(1_000 + (this.cards.size % 9_000)),
      livemode: false,
      metadata: form.metadata ?? {},
      replaced_by: null,
      replacement_for: null,
      shipping: null,
      spending_controls: {},
      status: form.status ?? 'inactive',
      type: form.type,
    };
    this.cards.set(card.id, card);
    return { status: 200, body: card, say: this.speech(card) };
  }

  /** How it answers the order of a card, where that is not with the card. */
  private speech(card: Json): Done['say'] {
    const { reference } = card.metadata;
    const deed = this.plans.get(reference);
    if (deed === 'locks_us_out') this.isLocked = true;
    if (deed === 'locks_us_out' || deed === 'stays_silent') return () => {};
    return deed === 'talks_nonsense' ? (response) => this.nonsenseOf(response, card) : undefined;
  }

  private nonsenseOf(response: ServerResponse, card: Json): void {
    NONSENSE[this.nonsense++ % NONSENSE.length]!(response, card);
  }

  /** From now on the kind of nonsense with this number. */
  turnTo(kind: number): void {
    this.nonsense = kind;
  }

  private changeCard(id: string, { status }: Json): Done {
    const card = this.cards.get(id);
    if (card === undefined) return { status: 404, body: missing(id) };
    if (card.status === 'canceled')
      return { status: 400, body: { error: { type: 'invalid_request_error', message: 'This card is canceled.' } } };
    card.status = status;
    return { status: 200, body: card };
  }

  private makeDispute({ transaction, amount, evidence, metadata }: Json): Done {
    const dispute = {
      id: this.id('idp'),
      object: 'issuing.dispute',
      amount: Number(amount),
      balance_transactions: [],
      created: Math.floor(Date.now() / 1_000),
      currency: 'usd',
      evidence,
      livemode: false,
      metadata: metadata ?? {},
      status: 'unsubmitted',
      transaction,
    };
    this.disputes.set(dispute.id, dispute);
    return { status: 200, body: dispute };
  }

  /** Fraud needs an explanation only; whatever was not received or is faulty needs dates, which are not there. */
  private submit(id: string): Done {
    const dispute = this.disputes.get(id);
    if (dispute === undefined) return { status: 404, body: missing(id) };
    const { reason } = dispute.evidence;
    if (dispute.status !== 'unsubmitted') return invalid('dispute');
    if (reason === 'not_received') return invalid('evidence[not_received][expected_at]', 'parameter_missing');
    dispute.status = 'submitted';
    return { status: 200, body: dispute };
  }

  /** The networks decide; what is won comes back into the Issuing balance. Tells Duka. */
  async decide(id: string, status: 'won' | 'lost'): Promise<void> {
    const dispute = this.disputes.get(id)!;
    dispute.status = status;
    if (status === 'won') this.balance += BigInt(dispute.amount);
    await this.hear(this.event('issuing_dispute.closed', structuredClone(dispute)));
  }

  /** Newest first, after `starting_after`. */
  private list({ query }: Heard, objects: Map<string, Json>, response: ServerResponse): void {
    const from = Number(query.get('created[gte]') ?? 0);
    const all = [...objects.values()].reverse().filter(({ created }) => created >= from);
    const after = query.get('starting_after');
    const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const limit = Number(query.get('limit') ?? 10);
    const data = all.slice(start, start + limit);
    send(response, 200, { object: 'list', data, has_more: start + limit < all.length, url: '/v1/issuing' });
  }

  private ephemeralKey({ body }: Heard, response: ServerResponse): void {
    const { issuing_card: card, nonce } = body as Json;
    if (!this.cards.has(card) || !nonce) return fail(response, 400, { type: 'invalid_request_error' });
    const now = Math.floor(Date.now() / 1_000);
    const key = { id: this.id('ephkey'), object: 'ephemeral_key', created: now, expires: now + 900, livemode: false };
    send(response, 200, { ...key, secret: `ek_test_${card}` });
  }
}

interface EventOptions {
  readonly before?: Json;
  readonly secret?: string;
  /** Milliseconds. */
  readonly at?: number;
}

interface Done {
  readonly status: number;
  readonly body: Json;
  /** Instead of saying so. */
  readonly say?: ((response: ServerResponse) => void) | undefined;
}

export function signed(text: string, secret: string, seconds: number): CallbackRequest {
  const signature = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex');
  return {
    body: Buffer.from(text),
    headers: { 'stripe-signature': `t=${seconds},v1=${signature},v0=${'0'.repeat(64)}` },
  };
}

/** `a[b][c]=1` → `{a: {b: {c: '1'}}}`. */
function unflat(text: string): Json {
  const form: Json = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = name.split(/[[\]]+/).filter((part) => part !== '');
    const last = parts.pop()!;
    const holder = parts.reduce<Json>((at, part) => (at[part] ??= {}), form);
    holder[last] = value;
  }
  return form;
}

const invalid = (param: string, code = 'parameter_invalid'): Done => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', code, param, message: `Invalid ${param}` } },
});

const missing = (id: string): Json => ({
  error: { type: 'invalid_request_error', code: 'resource_missing', param: 'id', message: `No such object: '${id}'` },
});

const fail = (response: ServerResponse, status: number, error: Json): void => send(response, status, { error });

const show = (objects: Map<string, Json>, id: string, response: ServerResponse): void => {
  const one = objects.get(id);
  send(response, one ? 200 : 404, one ?? missing(id));
};

const unknownUrl = ({ method, path }: Heard, response: ServerResponse): void =>
  fail(response, 404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path}).` });
