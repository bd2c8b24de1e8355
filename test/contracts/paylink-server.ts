import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { CallbackRequest, GatewayOrder } from '../../src/modules/payments/gateway';
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

/** The other side of the example gateway. */
export class PaylinkServer {
  readonly opened = new Map<string, number>();
  private readonly deeds = new Map<string, { deed: GatewayDeed; kind: number }>();
  private readonly orders = new Map<string, Record<string, unknown>>();
  /** By our reference, with the order that it is of. */
  private readonly refunds = new Map<string, Record<string, unknown>>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const isRefund = request.url!.includes('/refunds');
      if (request.method === 'POST')
        void json(request).then((asked) => {
          if (isRefund) this.refund(response, asked as Record<string, unknown>);
          else this.answer(response, asked as Record<string, unknown>, true);
        });
      else if (isRefund) this.refund(response, { reference: decodeURIComponent(request.url!.split('/').at(-1)!) });
      else this.answer(response, { reference: decodeURIComponent(request.url!.split('/').at(-1)!) }, false);
    });
  }

  static async start(): Promise<PaylinkServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new PaylinkServer(server);
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/`;
  }

  plan(reference: string, deed: GatewayDeed, kind = 0): void {
    this.deeds.set(reference, { deed, kind });
  }

  /** Without a reference: about nothing of ours. */
  callback({ reference }: Partial<GatewayOrder>, secret: string): CallbackRequest {
    const body = Buffer.from(JSON.stringify({ reference, status: 'paid' }));
    return {
      body,
      headers: {
        'content-type': 'application/json',
        'x-paylink-signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
    };
  }

  /** Minor units. */
  askedFor(reference: string): bigint {
    return BigInt(String(this.orders.get(reference)!.amount));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Asks for one, or after one: then there is no `order`. */
  private refund(response: ServerResponse, asked: Record<string, unknown>): void {
    const known = this.refunds.get(String(asked.reference));
    const { deed, kind } = this.deeds.get(String(asked.order ?? known?.order)) ?? { deed: 'pays' as const, kind: 0 };
    if (asked.order !== undefined && known === undefined)
      this.refunds.set(String(asked.reference), { ...asked, id: `plr_${this.refunds.size}` });
    if (deed === 'stays_silent') return;
    const refund = this.refunds.get(String(asked.reference));
    if (deed === 'talks_nonsense') return GATEWAY_NONSENSE[kind]!(response, refund!);
    const send = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (refund === undefined) return send(404, { reference: asked.reference, status: 'unknown_reference' });
    send(200, { ...refund, status: deed === 'keeps_the_money' ? 'declined' : 'done' });
  }

  private answer(response: ServerResponse, asked: Record<string, unknown>, isNew: boolean): void {
    const reference = String(asked.reference);
    const { deed, kind } = this.deeds.get(reference) ?? { deed: 'pays' as const, kind: 0 };
    if (deed === 'stays_silent') return;
    if (deed === 'talks_nonsense')
      return GATEWAY_NONSENSE[kind]!(response, { reference, id: 'pl_1', amount: '100025', currency: 'NGN' });
    const send = (status: number, body: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (isNew && deed === 'refuses') return send(422, { reference, status: 'refused' });
    if (isNew && !this.orders.has(reference)) {
      this.opened.set(reference, (this.opened.get(reference) ?? 0) + 1);
      this.orders.set(reference, {
        reference,
        id: `pl_${this.orders.size}`,
        amount: asked.amount,
        currency: asked.currency,
      });
    }
    const order = this.orders.get(reference);
    if (order === undefined) return send(404, { reference, status: 'unknown_reference' });
    if (!isNew && deed === 'locks_us_out')
      return send(200, { reference, status: 'refused', reason: 'account_suspended' });
    send(200, isNew ? { ...order, page: 'https://pay.paylink.example.com/o/1' } : this.told(order, deed));
  }

  /** How the order stands, with what was given back by itself and for the asking. */
  private told(order: Record<string, unknown>, deed: GatewayDeed): object {
    const given = [...this.refunds.values()].filter(
      (one) => one.order === order.reference && STATUSES[deed] === 'paid',
    );
    if (given.length === 0 || deed === 'keeps_the_money')
      return { ...order, status: STATUSES[deed], refunds: refundsOf(order, deed) };
    return { ...order, status: 'refunded', refunds: given.map(({ id, amount }) => ({ id, amount })) };
  }
}
