import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Rewinds } from '../../../core/clock/clock';
import { Env } from '../../../core/config/env';
import type { Key } from '../../../core/http/caller';
import type { CallbackRequest } from '../../../providers/answers';
import { Requeries } from '../../../providers/requeries';
import { SandboxSignature } from '../../../providers/sandbox-signature';
import { PurchaseCallbacks } from '../purchase-callbacks';
import type { Order, OrderCallback } from '../purchases.provider';
import { endingOf, type Plan } from './plan';
import type { Calling, Ending } from './scenarios';

/** What a callback says in the word of the other side; one that contradicts says what is not true. */
const SAYS: Partial<Record<Ending, string>> = { delivered: 'delivered', failed: 'failed', reversed: 'reversed' };
const OPPOSITES: Partial<Record<Ending, string>> = { delivered: 'failed', failed: 'delivered', reversed: 'delivered' };

interface CallRow {
  readonly provider: string;
  readonly says: string;
  readonly manner: Calling;
}

const PLAN_CALL = `
  INSERT INTO sandbox_callbacks (account_id, id, provider, says, manner, next_check_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT ON CONSTRAINT sandbox_callbacks_pkey DO NOTHING`;
const SELECT_CALL = `SELECT provider, says, manner FROM sandbox_callbacks WHERE account_id = $1 AND id = $2`;
const END_CALL = `UPDATE sandbox_callbacks SET next_check_at = NULL WHERE account_id = $1 AND id = $2`;

/** The operator's calls: made when it knows how an order ended, by the account's clock, as a real one makes them. */
@Injectable()
export class SandboxCalls implements OnModuleInit {
  private readonly signature: SandboxSignature;

  constructor(
    private readonly dataSource: DataSource,
    private readonly callbacks: PurchaseCallbacks,
    private readonly requeries: Requeries,
    private readonly rewinds: Rewinds,
    env: Env,
  ) {
    this.signature = new SandboxSignature('duka/sandbox-operators/v1', env);
  }

  onModuleInit(): void {
    this.rewinds.include({
      table: 'sandbox_callbacks',
      columns: ['next_check_at'],
      where: 'next_check_at IS NOT NULL',
    });
    this.requeries.include({ table: 'sandbox_callbacks', look: (key) => this.call(key) });
  }

  /** Once for each order, whatever is asked how often. `at`: by the account's clock. */
  async plan(provider: string, { accountId, reference }: Order, plan: Plan, at: Date): Promise<void> {
    const manner = plan.callback ?? 'lost';
    if (manner === 'lost') return;
    const says = (manner === 'contradicted' ? OPPOSITES : SAYS)[endingOf(plan)]!;
    await this.dataSource.query(PLAN_CALL, [accountId, reference, provider, says, manner, at]);
    await this.requeries.setAlarms('sandbox_callbacks', { accountId, livemode: false, id: reference, nextCheckAt: at });
  }

  /** A callback as the operator sends it. */
  callback(provider: string, reference: string, says: string): CallbackRequest {
    return this.signature.sign({ reference, event: says }, provider);
  }

  verify(provider: string, callback: CallbackRequest): OrderCallback {
    if (!this.signature.isOn(callback, provider)) return { outcome: 'forged' };
    const { reference, event } = JSON.parse(callback.body.toString()) as { reference?: string; event: string };
    return reference === undefined ? { outcome: 'other' } : { outcome: 'genuine', reference, says: event };
  }

  private async call({ accountId, id }: Key): Promise<void> {
    const [row]: CallRow[] = await this.dataSource.query(SELECT_CALL, [accountId, id]);
    const { provider, says, manner } = row!;
    const genuine = this.callback(provider, id, says);
    if (manner === 'forged') {
      const forged = { ...genuine, body: Buffer.concat([genuine.body, Buffer.from(' ')]) };
      // Refused, as it must be.
      await this.callbacks.receive(provider, forged).catch(() => undefined);
    } else
      await Promise.all(
        Array.from({ length: manner === 'twice' ? 2 : 1 }, () => this.callbacks.receive(provider, genuine)),
      );
    await this.dataSource.query(END_CALL, [accountId, id]);
  }
}
