import { Injectable } from '@nestjs/common';
import { type Quota, requireRoom } from '../../core/database/quota';
import { Clock } from '../../core/clock/clock';
import type { Tx } from '../../core/database/unit-of-work';
import { DomainError, FieldRefused, refusalAt } from '../../core/errors/domain-error';
import { type Caller, type Key, requireScope } from '../../core/http/caller';
import { decodeId, encodeId, newIdOf } from '../../core/http/ids';
import type { Claim, Made, RequestClaim } from '../../core/idempotency/claim';
import { likenessValue } from '../../core/idempotency/claims';
import { Idempotency } from '../../core/idempotency/idempotency';
import { AMOUNT_MAX } from '../../core/money/money';
import { Presents, type Viewer } from '../../core/resources/resources';
import { Requeries } from '../../providers/requeries';
import { AccountsService } from '../accounts/accounts.service';
import { type JointOrder, JointTransfersService } from '../wallets/joint-transfers.service';
import type { Transfer } from '../wallets/transfer.entity';
import { WalletsService } from '../wallets/wallets.service';
import type { Batch, BatchItem, BatchStatus } from './batch.entity';
import { BatchDto, ROWS_MAX, type WantedBatch } from './batch.dto';
import { BatchKinds, ofTransfer } from './batch-kinds';
import { claimOfRow, pointerOf, readRow } from './batch-row.dto';
import { batchEvent, batchInsert, type BatchStep, BatchStore, itemInsert, type NextLook, NO_ROWS } from './batch-store';
import { csvRows } from './csv-rows';

/** That one posting takes. */
const TOGETHER_MAX = 500;
const OPEN: Quota = {
  table: 'batches',
  of: 'batches that are not ended',
  max: 100,
  where: `status IN ('validating', 'scheduled', 'running', 'paused')`,
};
const REFERENCE_MAX = 128;

/** What its owner does with a batch, from which states, and what it is then. */
const CONTROLS = {
  pause: { from: ['validating', 'scheduled', 'running'], wanted: 'paused' },
  resume: { from: ['paused'], wanted: 'resumed' },
  cancel: { from: ['validating', 'scheduled', 'running', 'paused'], wanted: 'cancelled' },
} as const satisfies Record<string, { from: readonly BatchStatus[]; wanted: string }>;
export type Control = keyof typeof CONTROLS;

/** Batches as their owners place and steer them; `BatchRun` carries them out. */
@Injectable()
export class BatchesService {
  constructor(
    private readonly store: BatchStore,
    private readonly kinds: BatchKinds,
    private readonly joint: JointTransfersService,
    private readonly accounts: AccountsService,
    private readonly wallets: WalletsService,
    private readonly idempotency: Idempotency,
    private readonly requeries: Requeries,
    private readonly clock: Clock,
  ) {}

  /**
   * Keeps the rows and has them looked at; with `all_or_nothing` everything is done at once. Throws
   * `InsufficientScope`, `FieldRefused`, `TooManyRows`, `NotFound`, `LimitExceeded`, `IdempotencyKeyReused`,
   * `DuplicateReference`, `IdempotencyKeyRequired`, `LikelyDuplicate`; with `all_or_nothing` what a transfer throws,
   * with the pointer of its row.
   */
  async create(caller: Caller, wanted: WantedBatch, request: RequestClaim): Promise<Made<Batch>> {
    const { batch, items } = await this.draft(caller, wanted, request);
    const { accountId, livemode, id } = batch;
    const { key, fingerprint } = request;
    // A dry run takes nothing that the batch itself will need.
    const reference = wanted.dryRun ? null : wanted.reference;
    const likeness = wanted.dryRun
      ? null
      : await this.accounts.likenessOf(caller, { key, reference }, () =>
          likenessValue('batch', fingerprint.toString('base64url')),
        );
    const claim: Claim = { accountId, livemode, ...request, reference, resource: 'bat', resourceId: id, likeness };
    if (wanted.onError === 'all_or_nothing') return this.together(caller, { batch, items, claim });
    const replay = await this.idempotency.once(claim, (tx) => this.open(tx, batch, items));
    if (replay) return { made: await this.store.require(caller, replay.resourceId), replayedBy: replay.by };
    await this.requeries.setAlarms('batches', batch);
    return { made: batch, replayedBy: null };
  }

  /** What a batch with `all_or_nothing` would do now; writes nothing. Throws as `create`. */
  async preview(caller: Caller, wanted: WantedBatch, request: RequestClaim): Promise<Batch> {
    const { batch, items } = await this.draft(caller, wanted, request);
    const transfers = await this.joint.preview(caller, batch.id, ordersOf(batch, items));
    return { ...finished(batch, transfers), counts: { ...NO_ROWS, valid: items.length } };
  }

  /** The caller's batch. Throws `NotFound`. */
  require(viewer: Viewer, id: string): Promise<Batch> {
    return this.store.require(viewer, decodeId('bat', id));
  }

  /**
   * Rows that are begun go on to their end; no other begins while the batch is paused, or after it was cancelled.
   * Throws `NotFound`, `InvalidBatchTransition`, `IdempotencyKeyReused`.
   */
  async control(caller: Caller, publicId: string, control: Control, request: RequestClaim): Promise<Made<Batch>> {
    const { accountId, livemode, id } = await this.require(caller, publicId);
    const claim: Claim = { accountId, livemode, ...request, reference: null, resource: 'bat', resourceId: id };
    const origin = { requestId: caller.requestId, idempotencyKey: request.key };
    const now = await this.clock.now(caller);
    const work = async (tx: Tx, batch: Batch): Promise<BatchStep> => {
      const { from, wanted } = CONTROLS[control];
      if (!(from as readonly BatchStatus[]).includes(batch.status)) throw new InvalidBatchTransition(batch, wanted);
      if (control === 'cancel') await this.store.dropRest(tx, batch);
      return { status: control === 'resume' ? resumed(batch, now) : wanted === 'paused' ? 'paused' : 'cancelled' };
    };
    const replay = await this.idempotency.once(claim, async (tx) => {
      await this.store.changeIn(tx, { accountId, livemode, id }, work, { nextLook: atOnce(now), origin });
    });
    const made = await this.store.require(caller, id);
    if (replay === null) await this.requeries.setAlarms('batches', made);
    return { made, replayedBy: replay?.by ?? null };
  }

  @Presents('bat', 'batches:read')
  async present(viewer: Viewer, id: string): Promise<BatchDto> {
    return BatchDto.of(await this.store.require(viewer, id));
  }

  private async open(tx: Tx, batch: Batch, items: readonly BatchItem[]): Promise<void> {
    await requireRoom(tx, OPEN, batch);
    const origin = { requestId: batch.requestId, idempotencyKey: batch.idempotencyKey };
    await this.store.insert(tx, batch, items, origin);
  }

  /** All rows in one posting, with the batch and what became of them. */
  private async together(
    caller: Caller,
    { batch, items, claim }: { batch: Batch; items: readonly BatchItem[]; claim: Claim },
  ): Promise<Made<Batch>> {
    let made = batch;
    const outcome = await this.joint.transfer(caller, {
      id: batch.id,
      claim,
      orders: ordersOf(batch, items),
      writes: (transfers) => {
        made = finished(batch, transfers);
        const origin = { requestId: batch.requestId, idempotencyKey: batch.idempotencyKey };
        return [
          batchInsert(made),
          ...items.map((item, i) => itemInsert({ ...item, ...ofTransfer(transfers[i]!), tries: 1 })),
          batchEvent(made, 'completed', null, origin),
        ];
      },
    });
    if ('resourceId' in outcome)
      return { made: await this.store.require(caller, outcome.resourceId), replayedBy: outcome.by };
    return { made, replayedBy: null };
  }

  /** The batch and its rows, as they were sent; what holds of all of them is checked. */
  private async draft(
    caller: Caller,
    wanted: WantedBatch,
    { key }: RequestClaim,
  ): Promise<{ batch: Batch; items: BatchItem[] }> {
    requireScope(caller, this.kinds.scopeOf(wanted.kind));
    const { rows, columns } = rowsOf(wanted);
    checkTogether(wanted);
    const walletId =
      wanted.walletId === null
        ? null
        : (await this.wallets.require(caller, decodeId('wal', wanted.walletId), '/wallet_id')).id;
    const { accountId, livemode, requestId, person } = caller;
    const now = await this.clock.now(caller);
    const at = new Date();
    const { kind, onError, skipInvalid, dryRun, reference, metadata, startAt } = wanted;
    const id = newIdOf(accountId);
    const items = rows.map((body, number) => itemOf({ accountId, livemode, id }, number, body));
    const batch: Batch = {
      accountId,
      livemode,
      id,
      kind,
      status: 'validating',
      onError,
      skipInvalid,
      dryRun,
      walletId,
      reference,
      metadata,
      columns,
      startAt,
      madeBy: person?.userId ?? null,
      requestId,
      idempotencyKey: key,
      currency: null,
      counts: NO_ROWS,
      amount: 0n,
      fee: 0n,
      total: 0n,
      shortfalls: null,
      failure: null,
      version: 1,
      nextCheckAt: now,
      toldAt: at,
      updatedAt: at,
      completedAt: null,
    };
    const checked = withTwins(items, onError === 'all_or_nothing');
    const invalid = checked.filter(({ status }) => status === 'invalid').length;
    return { batch: { ...batch, counts: { ...NO_ROWS, pending: checked.length - invalid, invalid } }, items: checked };
  }
}

/** Where a batch goes on that was paused. */
function resumed({ shortfalls, startAt }: Batch, now: Date): BatchStatus {
  if (shortfalls === null) return 'validating';
  return startAt !== null && startAt > now ? 'scheduled' : 'running';
}

/** One that nothing more happens to is looked at only for what was begun: by whoever does it, or when it was to be. */
const atOnce =
  (now: Date): NextLook =>
  ({ status, counts, startAt, nextCheckAt }) => {
    if (status === 'scheduled') return startAt;
    if (status === 'validating' || status === 'running') return now;
    return counts.processing > 0 ? nextCheckAt : null;
  };

/** The rows of a request. Throws `FieldRefused`, `TooManyRows`. */
function rowsOf({ items, csv, onError }: WantedBatch): Pick<Batch, 'columns'> & { rows: readonly BatchItem['body'][] } {
  const max = onError === 'all_or_nothing' ? TOGETHER_MAX : ROWS_MAX;
  if ((items === null) === (csv === null)) throw new FieldRefused('/items', 'Send either /items or /csv: the rows.');
  const read = csv === null ? { columns: null, rows: items! } : csvRows(csv, max);
  if (read.rows.length === 0) throw new FieldRefused('/csv', 'The CSV has no row below its header.');
  if (read.rows.length > max) throw new TooManyRows(csv === null ? '/items' : '/csv', max);
  return read;
}

function checkTogether({ kind, onError, skipInvalid, startAt }: WantedBatch): void {
  if (onError !== 'all_or_nothing') return;
  const refuse = (param: string, detail: string) => {
    throw new FieldRefused(param, `With on_error "all_or_nothing" ${detail}`);
  };
  if (kind !== 'transfer') refuse('/on_error', 'all rows are transfers.');
  if (skipInvalid) refuse('/skip_invalid', 'no row can be left out.');
  if (startAt !== null) refuse('/start_at', 'everything is done at once.');
}

function itemOf({ accountId, livemode, id }: Key, number: number, body: BatchItem['body']): BatchItem {
  const { reference } = body;
  return {
    accountId,
    livemode,
    batchId: id,
    number,
    reference: typeof reference === 'string' && reference.length <= REFERENCE_MAX ? reference : null,
    body,
    status: 'pending',
    walletId: null,
    currency: null,
    amount: null,
    fee: null,
    total: null,
    resource: null,
    resourceId: null,
    failure: null,
    tries: 0,
  };
}

/** A row with the reference of one before it is not valid; `isThrown`: and with it, none is. */
function withTwins(items: readonly BatchItem[], isThrown: boolean): BatchItem[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const first = item.reference === null ? undefined : seen.get(item.reference);
    if (item.reference !== null && first === undefined) seen.set(item.reference, item.number);
    if (first === undefined) return item;
    const repeated = new RepeatedReference(first);
    if (isThrown) throw refusalAt(pointerOf(item.number), repeated);
    const { code, param = null, detail } = repeated.details;
    return { ...item, status: 'invalid', failure: { code, param, detail } };
  });
}

/** What the rows order, each in the name of its own claim. */
function ordersOf(batch: Batch, items: readonly BatchItem[]): JointOrder[] {
  const orders = items.map((item) => {
    const pointer = pointerOf(item.number);
    try {
      const order = readRow({ ...batch, kind: 'transfer' }, item);
      return { order, request: claimOfRow(batch.id, item.number), pointer };
    } catch (error) {
      throw error instanceof DomainError ? refusalAt(pointer, error) : error;
    }
  });
  if (orders.reduce((sum, { order }) => sum + order.amount, 0n) > AMOUNT_MAX)
    throw new FieldRefused('/items', 'The rows come to more than an amount may be.', { code: 'amount_out_of_range' });
  return orders;
}

/** A batch of which everything took place. */
function finished(batch: Batch, transfers: readonly Transfer[]): Batch {
  const sum = (of: 'amount' | 'fee'): bigint => transfers.reduce((total, transfer) => total + transfer[of], 0n);
  return {
    ...batch,
    status: 'completed',
    currency: transfers[0]!.currency,
    counts: { ...NO_ROWS, successful: transfers.length },
    amount: sum('amount'),
    fee: sum('fee'),
    total: sum('amount') + sum('fee'),
    shortfalls: [],
    nextCheckAt: null,
    completedAt: batch.updatedAt,
  };
}

class TooManyRows extends DomainError {
  constructor(param: string, max: number) {
    super({
      code: 'too_many_rows',
      kind: 'unprocessable',
      title: 'Too many rows',
      detail: `A batch of this kind has at most ${max} rows.`,
      param,
    });
  }
}

class RepeatedReference extends DomainError {
  constructor(first: number) {
    super({
      code: 'duplicate_reference',
      kind: 'conflict',
      title: 'Reference used before',
      detail: `${pointerOf(first)} has the same reference.`,
      param: '/reference',
    });
  }
}

/** The batch is in a state in which this cannot be done. */
class InvalidBatchTransition extends DomainError {
  constructor({ id, status }: Batch, wanted: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'none',
      detail: `${encodeId('bat', id)} is ${status} and cannot be ${wanted}.`,
      resourceId: encodeId('bat', id),
    });
  }
}
