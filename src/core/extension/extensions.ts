import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { bulkDelete, type Write } from '../database/bulk';
import { isRowChanged, retryAway } from '../database/unit-of-work';
import { DomainError } from '../errors/domain-error';
import { newIdOf } from '../http/ids';
import { filterDisplay, type Money } from '../money/money';
import { causesOf, ExtensionRegistry } from './extension-registry';
import { HookJobs } from './hook-jobs';
import { BlockedByHook, GateUnavailable, PointRunner } from './point-runner';
import type {
  BeforePayment,
  FeeContext,
  Filtered,
  GatewayChoice,
  GatewayContext,
  OnErrorContext,
  PaymentObject,
  PointName,
  Refusal,
} from './points';
import type { Operation } from '../../vocabulary/products';

/** Leave to make one payment, as its gates gave it. */
export interface Pass {
  /** Rows for the transaction in which the payment comes to be. Once they are written, nobody is told of a refusal. */
  readonly writes: readonly Write[];
  /** `work` is to make the payment, with `writes`. If it does not, by `isMade` or by an error, that is told. */
  make<T>(work: () => Promise<T>, isMade: (outcome: T) => boolean): Promise<T>;
}

/** Leave that nobody has to hear about. */
export const FREE: Pass = { writes: [], make: (work) => work() };

/** Kinds of a `DomainError` that are a fault of ours; all others are an answer. */
const FAULTS = new Set(['unavailable', 'internal']);
const UNEXPECTED = {
  code: 'internal_error',
  kind: 'internal',
  detail: 'It failed unexpectedly; the log tells why.',
} as const;

/** The answer of gates that nobody has: made once. */
const OPEN_GATES = Promise.resolve(FREE);

/** Longer than a request takes. Only a comfort: a payment that is made later finds its note gone, and fails. */
const PATIENCE_SECONDS = 120;
/** What an open note says, should it ever be told. */
const INTERRUPTED: Refusal = { code: 'interrupted', stage: 'process' };

const OPEN = `
  INSERT INTO hook_jobs (account_id, livemode, event_id, handler, operation, object_type, object_id, request_id, causes,
      refusal, status, due_at)
  SELECT $1::uuid, $2::boolean, $3::uuid, handler, $5, $6, $7::uuid, $8::uuid, $9::jsonb, $10::jsonb, 'open',
      now() + make_interval(secs => $11)
    FROM unnest($4::text[]) AS handler
  ON CONFLICT DO NOTHING`;

const OF_NOTE = `account_id = $1 AND livemode = $2 AND event_id = $3 AND status = 'open'`;
const REFUSE = `
  UPDATE hook_jobs SET status = 'waiting', due_at = now(), refusal = $4 WHERE ${OF_NOTE} RETURNING handler`;
const DROP = `DELETE FROM hook_jobs WHERE ${OF_NOTE}`;

const closeNote = bulkDelete(
  'hook_jobs',
  { account_id: 'uuid', livemode: 'boolean', event_id: 'uuid', handler: 'text', status: 'text' },
  { name: 'close_refusal_notes', mustMatch: true },
);

/**
 * Of a payment whose gates are asked, for `svc_payment_refused`. It is written before they are, and the payment takes
 * it out in its own transaction, which fails when it is gone: so a payment is made or told as refused, never both and
 * never neither, whichever of its process and of the clock is faster. Without gates, or without anybody to tell, there
 * is none.
 */
interface Note {
  readonly accountId: string;
  readonly livemode: boolean;
  readonly eventId: string;
  readonly handlers: readonly string[];
}

/**
 * The seven points of payments: where modules ask the extensions of internal teams. Without a handler for a point,
 * asking costs nothing.
 */
@Injectable()
export class Extensions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('extensions');
  private removeDisplayFilter = (): void => undefined;

  constructor(
    private readonly registry: ExtensionRegistry,
    private readonly points: PointRunner,
    private readonly jobs: HookJobs,
    private readonly dataSource: DataSource,
  ) {}

  onApplicationBootstrap(): void {
    if (this.isEmpty('svc_currency_format')) return;
    this.removeDisplayFilter = filterDisplay(
      (text, money) => (this.points.filter('svc_currency_format', text, { money }) as Filtered<string>).value,
    );
  }

  onApplicationShutdown(): void {
    this.removeDisplayFilter();
  }

  /**
   * Nobody extends this point (for this operation): whatever would only be prepared for its handlers can be left out.
   */
  isEmpty(point: PointName, operation?: Operation): boolean {
    return this.points.isEmpty(point, operation);
  }

  /**
   * `svc_before_payment`: after validation and the claim's check, before money moves, outside of any transaction;
   * never for a replay. Throws `BlockedByHook` (422) or, when a gate fails or is slow, `GateUnavailable` (503). Make
   * the payment by `make` of the answer and with its `writes`: then `svc_payment_refused` hears of whatever else
   * becomes of it.
   */
  gate(context: BeforePayment): Promise<Pass> {
    return this.isEmpty('svc_before_payment', context.operation) ? OPEN_GATES : this.ask(context);
  }

  /** `svc_transaction_fee`. The changes belong on the transaction. */
  fee(fee: Money, context: FeeContext): Promise<Filtered<Money>> {
    return Promise.resolve(this.points.filter('svc_transaction_fee', fee, context));
  }

  /** `svc_payment_gateway`: order, subset and options of the registered gateways (or providers) in `list`. */
  gateways(list: readonly GatewayChoice[], context: GatewayContext): Promise<Filtered<readonly GatewayChoice[]>> {
    return Promise.resolve(this.points.filter('svc_payment_gateway', list, context));
  }

  /**
   * `svc_after_payment`: rows to be written in the same transaction as `event` (from `eventWrite`), one per observer;
   * none without observers. Call `wake` once that has committed. `causes` is what `causes()` said outside of the
   * ledger's batch.
   */
  afterPayment(event: Write, payment: PaymentObject, causes: readonly string[] = []): Write[] {
    return this.isEmpty('svc_after_payment', payment.operation) ? [] : this.jobs.rows(event, payment, causes);
  }

  /**
   * The observers in whose handlers this call stands, for `afterPayment`: they are not told of what they do
   * themselves.
   */
  causes(): readonly string[] {
    return causesOf();
  }

  /**
   * Has the committed rows of `afterPayment` worked on now instead of at the next sweep. Never throws, waits for
   * nothing.
   */
  wake(): void {
    this.jobs.wake();
  }

  /** `svc_on_error`: tells the observers. Never throws, waits for nothing. */
  onError(context: OnErrorContext): void {
    this.points.tell('svc_on_error', context);
  }

  /** `svc_on_error` of what went wrong on our side; what was refused is an answer. */
  onFault(error: unknown, about: Omit<OnErrorContext, 'error'>): void {
    const { code, kind, detail } = error instanceof DomainError ? error.details : UNEXPECTED;
    if (FAULTS.has(kind)) this.onError({ ...about, error: { stage: 'platform', code, message: detail } });
  }

  private async ask(context: BeforePayment): Promise<Pass> {
    const note = context.dryRun ? null : await this.open(context);
    if (note === null) {
      await this.points.ask('svc_before_payment', context);
      return FREE;
    }
    try {
      await this.points.ask('svc_before_payment', context);
    } catch (error) {
      const [first] = this.registry.of('svc_before_payment', context.operation);
      // Nobody let it pass. A gate that failed may have counted it all the same.
      if (error instanceof BlockedByHook && error.by === first!.id) await this.drop(note);
      else await this.refuse(note, { code: codeOf(error), stage: 'gate' });
      throw error;
    }
    return this.passOf(note);
  }

  private passOf(note: Note): Pass {
    const { accountId, livemode, eventId, handlers } = note;
    const key = { account_id: accountId, livemode, event_id: eventId, status: 'open' };
    return {
      writes: handlers.map((handler) => closeNote.row({ ...key, handler })),
      make: async (work, isMade) => {
        try {
          const outcome = await work();
          if (!isMade(outcome)) await this.refuse(note, { code: 'replayed', stage: 'posting' });
          return outcome;
        } catch (error) {
          const isOpen = await this.refuse(note, { code: codeOf(error), stage: 'posting' });
          throw !isOpen && isRowChanged(error) ? new GateUnavailable({ cause: error }) : error;
        }
      },
    };
  }

  /** Null: there is nobody to tell. */
  private async open(context: BeforePayment): Promise<Note | null> {
    const { operation, accountId, livemode, objectType, objectId, requestId } = context;
    const causes = causesOf();
    const handlers = this.registry
      .of('svc_payment_refused', operation)
      .map(({ id }) => id)
      .filter((id) => !causes.includes(id));
    if (handlers.length === 0) return null;
    const eventId = newIdOf(accountId);
    const about = [operation, objectType, objectId, requestId, JSON.stringify(causes), INTERRUPTED, PATIENCE_SECONDS];
    await retryAway(() => this.dataSource.query(OPEN, [accountId, livemode, eventId, handlers, ...about]));
    return { accountId, livemode, eventId, handlers };
  }

  /** False: the note is gone, with the payment that was made, or because it was told already. Never throws. */
  private async refuse({ accountId, livemode, eventId }: Note, refusal: Refusal): Promise<boolean> {
    try {
      const [told]: [unknown[], number] = await this.dataSource.query(REFUSE, [accountId, livemode, eventId, refusal]);
      if (told.length > 0) this.jobs.wake({ madeNow: true });
      return told.length > 0;
    } catch (error) {
      this.log.warn({ message: 'a refused payment will be told as interrupted', event: eventId, err: error });
      return true;
    }
  }

  private async drop({ accountId, livemode, eventId }: Note): Promise<void> {
    try {
      await this.dataSource.query(DROP, [accountId, livemode, eventId]);
    } catch (error) {
      this.log.warn({ message: 'a vetoed payment will be told as interrupted', event: eventId, err: error });
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof DomainError) return error.details.code;
  return isRowChanged(error) ? 'overtaken' : 'internal_error';
}
