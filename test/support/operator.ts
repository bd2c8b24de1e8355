import { DataSource } from 'typeorm';
import { Clock, Rewinds } from '../../src/core/clock/clock';
import { Env } from '../../src/core/config/env';
import { dataSourceOptions } from '../../src/core/database/options';
import { UnitOfWork } from '../../src/core/database/unit-of-work';
import { newId } from '../../src/core/http/ids';
import { Idempotency } from '../../src/core/idempotency/idempotency';
import type { FindResult, Order } from '../../src/modules/purchases/purchases.provider';
import { SandboxOperator } from '../../src/modules/purchases/sandbox-operator.service';
import { createTestDatabase } from './database';

export const [FIRST, SECOND] = ['sandbox', 'sandbox_backup'] as const;
const NO_CLAIM = { key: null, fingerprint: Buffer.alloc(32) };

/** A clock by itself, for advances without a key: nothing looks claims up. */
function clockOn(dataSource: DataSource): Clock {
  const unitOfWork = new UnitOfWork(dataSource);
  const idempotency = new Idempotency(unitOfWork, null as never, dataSource);
  return new Clock(dataSource, unitOfWork, new Rewinds(), idempotency);
}

/** Nobody is called: there is no service around it. */
const operatorOn = (dataSource: DataSource, clock: Clock): SandboxOperator =>
  new SandboxOperator(dataSource, clock, { plan: async () => undefined } as never);

/** The sandbox's operator by itself, on a database of its own and with the rights of the application. */
export class TestOperator {
  private constructor(
    readonly dataSource: DataSource,
    readonly stop: () => Promise<void>,
    readonly clock = clockOn(dataSource),
    readonly operator = operatorOn(dataSource, clock),
  ) {}

  static async start(): Promise<TestOperator> {
    const database = await createTestDatabase();
    const dataSource = await new DataSource(
      dataSourceOptions(Object.assign(new Env(), { DATABASE_URL: database.url })),
    ).initialize();
    return new TestOperator(dataSource, () => dataSource.destroy().then(() => database.drop()));
  }

  /** The operator as another process has it, with what that knows by heart. */
  twin(): SandboxOperator {
    return operatorOn(this.dataSource, clockOn(this.dataSource));
  }

  /** Its answer, or the name of what it throws. */
  sell(order: Order, provider: string = FIRST): Promise<unknown> {
    return this.operator.sell(provider, order).catch(({ name }: Error) => name);
  }

  find(order: Order, provider: string = FIRST): Promise<FindResult> {
    return this.operator.find(provider, order);
  }

  advance({ accountId }: Order, seconds: number): Promise<boolean> {
    return this.clock.advance(accountId, seconds * 1_000, NO_CLAIM);
  }
}

/** An order for a test number, by its last three digits. */
export function orderFor(tail: string, more: Partial<Order> = {}): Order {
  const item = { phone: `+2348000077${tail}` };
  return {
    reference: newId(),
    accountId: newId(),
    livemode: false,
    purchaseId: newId(),
    amount: 10_001n,
    currency: 'NGN',
    item,
    options: {},
    providerReference: null,
    scenario: null,
    ...more,
  };
}

export const delivered = (more: object = {}): unknown => expect.objectContaining({ outcome: 'delivered', ...more });
export const refused = (code: string): unknown => expect.objectContaining({ outcome: 'not_delivered', code });
export const PROCESSING = { outcome: 'accepted' };
