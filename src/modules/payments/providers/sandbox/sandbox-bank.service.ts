import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../../core/clock/clock';
import { Env } from '../../../../core/config/env';
import { encodeId } from '../../../../core/http/ids';
import type { CallbackRequest, CallbackResult, GatewayOrder, PaymentKey, QueryResult } from '../../payments.types';
import { OUTCOMES } from './sandbox-outcomes.types';

interface OrderRow {
  readonly gateway: string;
  readonly amount: string;
  readonly currency: string;
  readonly outcome: string | null;
  readonly readyAt: Date | null;
}

const SIGNATURE = 'x-sandbox-signature';
const HEX_64 = /^[0-9a-f]{64}$/;

const OPEN = `
  INSERT INTO sandbox_gateway_orders (account_id, payment_id, gateway, amount, currency) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT ON CONSTRAINT sandbox_gateway_orders_pkey DO NOTHING`;

/** The world behind every sandbox gateway: orders, and what people decided about them. Our side never looks in: it asks. */
@Injectable()
export class SandboxBank {
  private readonly key: Buffer;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    env: Env,
  ) {
    this.key = Buffer.from(hkdfSync('sha256', Buffer.from(env.SECRETS_KEY, 'base64'), '', 'duka/sandbox-gateways/v1', 32));
  }

  /** Opens an order once; the gateway's own id of it. */
  async open(gateway: string, { accountId, paymentId, livemode, amount, currency }: GatewayOrder): Promise<string> {
    if (livemode) throw new Error('the sandbox collects nothing real');
    await this.dataSource.query(OPEN, [accountId, paymentId, gateway, amount, currency]);
    return referenceOf(paymentId);
  }

  /** What becomes of an order from now on; false when there is no such order. */
  async decide({ accountId, id: paymentId }: PaymentKey, outcome: string): Promise<boolean> {
    const { delaySeconds = 0 } = OUTCOMES.find((one) => one.outcome === outcome)!;
    const readyAt = new Date((await this.clock.now({ accountId, livemode: false })).getTime() + delaySeconds * 1_000);
    const [, changed]: [unknown, number] = await this.dataSource.query(
      'UPDATE sandbox_gateway_orders SET outcome = $3, ready_at = $4 WHERE account_id = $1 AND payment_id = $2', [accountId, paymentId, outcome, readyAt],
    );
    return changed === 1;
  }

  /** What the gateway says when it is asked. */
  async query({ accountId, paymentId }: GatewayOrder): Promise<QueryResult> {
    const [order]: OrderRow[] = await this.dataSource.query(
      'SELECT gateway, amount, currency, outcome, ready_at AS "readyAt" FROM sandbox_gateway_orders WHERE account_id = $1 AND payment_id = $2', [accountId, paymentId],
    );
    if (order === undefined) return { outcome: 'not_known' };
    const decided = OUTCOMES.find(({ outcome }) => outcome === order.outcome);
    if (decided === undefined) return { outcome: 'awaiting' };
    const { answer, surplus = 0, isOtherCurrency = false, failure } = decided;
    if (order.readyAt! > (await this.clock.now({ accountId, livemode: false }))) return { outcome: 'processing' };
    if (answer === 'unknown') return { outcome: 'unknown', code: 'no_answer' };
    if (answer === 'failed') return { outcome: answer, about: 'order', ...failure! };
    if (answer === 'reversed') return { outcome: answer, ...failure! };
    if (answer === 'processing') return { outcome: answer };
    const other = order.currency === 'USD' ? 'EUR' : 'USD';
    return {
      outcome: 'successful', gatewayReference: referenceOf(paymentId), amount: BigInt(order.amount) + BigInt(surplus),
      currency: isOtherCurrency ? other : order.currency,
    };
  }

  /** A callback as the gateway sends it. */
  callback(gateway: string, reference: string, says: string): CallbackRequest {
    const body = Buffer.from(JSON.stringify({ reference, event: says }));
    return { body, headers: { 'content-type': 'application/json', [SIGNATURE]: this.sign(gateway, body).toString('hex') } };
  }

  verify(gateway: string, { body, headers }: CallbackRequest): CallbackResult {
    const given = headers[SIGNATURE] ?? '';
    const isSigned = HEX_64.test(given) && timingSafeEqual(Buffer.from(given, 'hex'), this.sign(gateway, body));
    if (!isSigned) return { outcome: 'forged' };
    const { reference, event } = JSON.parse(body.toString()) as { reference: string; event: string };
    return { outcome: 'genuine', reference, says: event };
  }

  private sign(gateway: string, body: Buffer): Buffer {
    return createHmac('sha256', this.key).update(`${gateway}\n`).update(body).digest();
  }
}

const referenceOf = (paymentId: string): string => `sbx_${encodeId('pay', paymentId).slice('pay_'.length)}`;
