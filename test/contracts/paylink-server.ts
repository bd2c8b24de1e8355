import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { CallbackRequest } from '../../src/modules/payments/gateway';
import { type Heard, Pretended, send } from '../pretended/pretended';
import type { GatewayDeed } from './gateway-rules';

const STATUSES: Partial<Record<GatewayDeed, string>> = {
  pays: 'paid',
  waits: 'open',
  declines: 'declined',
  gives_back: 'refunded',
  gives_back_a_part: 'refunded',
  keeps_the_money: 'paid',
};

const refundsOf = ({ id, amount }: Record<string, unknown>, deed: GatewayDeed): object[] => {
  if (deed === 'gives_back') return [{ id: `${String(id)}_r1`, amount }];
  return deed === 'gives_back_a_part'
    ? [
        { id: `${String(id)}_r1`, amount: '1' },
        { id: `${String(id)}_r2`, amount: '2' },
      ]
    : [];
};

type Nonsense = (response: ServerResponse, order: Record<string, unknown>) => void;
const says =
  (status: number, body: (order: Record<string, unknown>) => unknown): Nonsense =>
  (response, order) => {
    const text = body(order);
    response.writeHead(status).end(typeof text === 'string' ? text : JSON.stringify(text));
  };

/** Answers that prove nothing. */
export const GATEWAY_NONSENSE: readonly Nonsense[] = [
  says(200, () => ''),
  says(200, () => '<html>Paid</html>'),
  says(200, () => 'null'),
  says(200, (order) => ({ ...order, status: 'paid', reference: 'somebody-elses' })),
  says(200, (order) => ({ ...order, status: 'PAID!', page: undefined })),
  says(200, (order) => ({ ...order, status: 'paid', amount: undefined, page: undefined })),
  says(200, (order) => ({ ...order, status: 'paid', amount: '1e9', page: undefined })),
  says(200, (order) => ({ ...order, status: 'paid', amount: '-5', page: undefined })),
  says(200, (order) => ({ ...order, status: 'paid', currency: 'naira', page: 7 })),
  says(200, (order) => ({ ...order, status: 'paid', id: '', page: 7 })),
  says(200, (order) => ({ ...order, status: 'refunded', page: 7 })),
  says(200, (order) => ({ ...order, status: 'refunded', refunds: [{ id: 'r', amount: '1e3' }], page: 7 })),
  says(200, (order) => ({ ...order, status: 'refunded', refunds: [{ id: 'r', amount: '100026' }], page: 7 })),
  says(404, () => 'Not found'),
  says(404, () => ({ status: 'unknown_reference' })),
  says(422, (order) => ({ ...order, status: 'maybe' })),
  says(500, (order) => ({ ...order, status: 'paid' })),
  says(200, (order) => `${JSON.stringify({ ...order, status: 'paid', page: undefined })}${' '.repeat(20_000)}`),
  (response) => void response.socket?.destroy(),
];

type Told = Readonly<Record<string, unknown>>;

const SECRET = 'callback-secret';

/** The other side of the example gateway. */
export class PaylinkServer extends Pretended {
  readonly opened = new Map<string, number>();
  /** By our reference, with the order that it is of. */
  private readonly refunds = new Map<string, Told>();
  private readonly deeds = new Map<string, { deed: GatewayDeed; kind: number }>();
  private readonly orders = new Map<string, Record<string, unknown>>();

  get settings(): Readonly<Record<string, string>> {
    return { PAYLINK_URL: `${this.url}v1/`, PAYLINK_KEY: 'paylink-key', PAYLINK_CALLBACK_SECRET: SECRET };
  }

  plan(reference: string, deed: GatewayDeed, kind = 0): void {
    this.deeds.set(reference, { deed, kind });
  }

  /** Without a reference: about nothing of ours. */
  callback(reference?: string, secret = SECRET): CallbackRequest {
    const body = Buffer.from(JSON.stringify({ reference, status: 'paid' }));
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'x-paylink-signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
    };
  }

  /** The payer of an open order pays now: what was asked for, or another amount. */
  pay(reference: string, amount?: bigint): void {
    const order = this.orders.get(reference)!;
    Object.assign(order, { status: 'paid', ...(amount !== undefined && { amount: amount.toString() }) });
    this.callBack(reference);
  }

  /** How an order stands; null: there is none. */
  standing(reference: string): { readonly status: unknown; readonly amount: bigint } | null {
    const order = this.orders.get(reference);
    return order ? { status: this.statusOf(order), amount: BigInt(order.amount as string) } : null;
  }

  /** Orders that were paid. */
  get paid(): readonly Told[] {
    return [...this.orders.values()].filter((order) => this.statusOf(order) === 'paid');
  }

  /** Refunds that were made. */
  get given(): readonly Told[] {
    return [...this.refunds.values()].filter(({ status }) => status === 'done');
  }

  protected answer({ method, path, body }: Heard, response: ServerResponse): void {
    const asked = method === 'POST' ? body! : { reference: decodeURIComponent(path.split('/').at(-1)!) };
    if (path.includes('/refunds')) this.refund(response, asked);
    else this.order(response, asked, method === 'POST');
  }

  /** Asks for one, or after one: then there is no `order`. */
  private refund(response: ServerResponse, asked: Told): void {
    const known = this.refunds.get(String(asked.reference));
    const { deed, kind } = this.planOf(asked.order ?? known?.order);
    if (asked.order !== undefined && known === undefined)
      this.refunds.set(String(asked.reference), {
        ...asked,
        id: `plr_${this.refunds.size}`,
        status: deed === 'keeps_the_money' ? 'declined' : 'done',
      });
    if (deed === 'stays_silent') return;
    const refund = this.refunds.get(String(asked.reference));
    if (deed === 'talks_nonsense') return GATEWAY_NONSENSE[kind]!(response, refund!);
    if (refund === undefined) return send(response, 404, { reference: asked.reference, status: 'unknown_reference' });
    send(response, 200, refund);
  }

  private order(response: ServerResponse, asked: Told, isNew: boolean): void {
    const reference = String(asked.reference);
    const { deed, kind } = this.planOf(reference);
    if (deed === 'stays_silent') return;
    if (deed === 'talks_nonsense')
      return GATEWAY_NONSENSE[kind]!(response, { reference, id: 'pl_1', amount: '100025', currency: 'NGN' });
    if (isNew && deed === 'refuses') return send(response, 422, { reference, status: 'refused' });
    if (isNew && !this.orders.has(reference)) this.open(reference, asked);
    const order = this.orders.get(reference);
    if (order === undefined) return send(response, 404, { reference, status: 'unknown_reference' });
    if (!isNew && deed === 'locks_us_out')
      return send(response, 200, { reference, status: 'refused', reason: 'account_suspended' });
    send(response, 200, isNew ? { ...order, page: 'https://pay.paylink.example.com/o/1' } : this.told(order, deed));
  }

  private open(reference: string, { amount, currency }: Told): void {
    this.opened.set(reference, (this.opened.get(reference) ?? 0) + 1);
    const order = { reference, id: `pl_${this.orders.size}`, amount, currency };
    this.orders.set(reference, order);
    if (this.statusOf(order) === 'paid') this.callBack(reference);
  }

  private planOf(reference: unknown): { readonly deed: GatewayDeed; readonly kind: number } {
    return this.deeds.get(String(reference)) ?? { deed: 'pays', kind: 0 };
  }

  private statusOf({ reference, status }: Told): unknown {
    return status ?? STATUSES[this.planOf(reference).deed];
  }

  /** How the order stands, with what was given back by itself and for the asking. */
  private told(order: Told, deed: GatewayDeed): object {
    const status = this.statusOf(order);
    const given = this.given.filter((one) => one.order === order.reference && status === 'paid');
    if (given.length === 0) return { ...order, status, refunds: refundsOf(order, deed) };
    return { ...order, status: 'refunded', refunds: given.map(({ id, amount }) => ({ id, amount })) };
  }

  /** Where somebody listens. Whoever does not hear it asks. */
  private callBack(reference: string): void {
    if (this.callbackUrl === null) return;
    const { body, headers } = this.callback(reference);
    const told = headers as Record<string, string>;
    void fetch(new URL('callbacks/paylink', this.callbackUrl), { method: 'POST', body, headers: told }).catch(
      () => undefined,
    );
  }
}
