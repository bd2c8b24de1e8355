import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Cells } from '../../core/cells/cells';
import { Forwarding } from '../../core/cells/forwarding';
import { unnested, type Write } from '../../core/database/bulk';
import { rows } from '../../core/database/rows';
import { found, ServiceUnavailable } from '../../core/errors/domain-error';
import { Extensions } from '../../core/extension/extensions';
import type { Key, Tenant } from '../../core/http/caller';
import { encodeId, newId, slotOf } from '../../core/http/ids';
import { freeLikeness, likenessValue } from '../../core/idempotency/claims';
import { WorkUnderWay } from '../../core/process/work-under-way';
import { Endings, type WaitForEnd } from '../../core/resources/endings';
import { checkDelayMs, needsPerson } from '../../providers/client';
import { Requeries } from '../../providers/requeries';
import { LedgerAccountsService } from '../ledger/accounts.service';
import { LedgerService } from '../ledger/ledger.service';
import { type HoldStep, type Posted, type Posting, PostingRefused, type Refusal } from '../ledger/posting';
import { transactionChange, transactionEvent, type TransactionRecord } from '../transactions/transactions.service';
import type { CreditOrder, CreditOutcome, Payee } from './cell-credits.service';
import type { CellTransfer } from './cell-transfer.entity';
import { CellTransferStore, type Crossing, wayChange } from './cell-transfer-store';
import { successWrites } from './transfer-draft';
import { Transfer, type TransferFailure } from './transfer.entity';

/** How long the other cell has to answer. */
const ASK_TIMEOUT_MS = 10_000;
/** Who died while it asked leaves the transfer to whoever looks after this time. */
const ABANDONED_AFTER_MS = ASK_TIMEOUT_MS + 2_000;
/** A cell that is back is asked soon, however long it was away. */
const DELAY_MAX_MS = 30_000;

/** Where cells ask each other; see `CellTransfersController`. */
const CREDITS_PATH = '/cells/credits';
const PAYEES_PATH = '/cells/payees';

const transferChange = rows(Transfer).update({
  name: 'update_transfers',
  change: ['status', 'failure'],
  was: ['status'],
});

const SELECT_ENDED = {
  name: 'select_ended_transfers',
  text: `SELECT t.id FROM ${unnested({ account_id: 'uuid', livemode: 'boolean', id: 'uuid' })} AS v
    JOIN transfers t USING (account_id, livemode, id) WHERE t.status <> 'processing'`,
};

const REFUSALS: ReadonlySet<unknown> = new Set<Refusal['reason']>([
  'account_not_found',
  'credit_frozen',
  'account_closed',
  'currency_mismatch',
  'balance_limit',
  'platform_limit',
]);

/**
 * Carries transfers to wallets of other cells, whose money is held here, to their end: the other cell is asked to
 * credit, which it does once or refuses for good; then the hold is captured or released. Whatever is not known is asked
 * again: no clock gives money back or takes it.
 */
@Injectable()
export class CellTransfersService implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger('transfers between cells');
  private readonly underWay = new WorkUnderWay();
  /** What this process is at, by transfer. */
  private readonly begun = new Map<string, Promise<Transfer>>();
  private readonly waitForEnd: WaitForEnd;
  /** Whose a wallet is, and in which mode and currency, never changes. */
  private readonly payees = new LRUCache<string, Payee>({ max: 10_000 });

  constructor(
    private readonly cells: Cells,
    private readonly forwarding: Forwarding,
    private readonly ledger: LedgerService,
    private readonly accounts: LedgerAccountsService,
    private readonly store: CellTransferStore,
    private readonly requeries: Requeries,
    private readonly extensions: Extensions,
    endings: Endings,
  ) {
    this.waitForEnd = endings.of(SELECT_ENDED);
  }

  onModuleInit(): void {
    // Where there is one cell nobody looks for any.
    if (!this.cells.isOn) return;
    this.requeries.include({
      table: 'cell_transfers',
      look: (key) => this.lookAgain(key),
      states: { kind: `'transfer'`, status: `'processing'` },
    });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.underWay.end();
  }

  isHere(walletId: string): boolean {
    return this.cells.isHere(walletId);
  }

  /**
   * The wallet of another cell that is to be paid; `status` only when it was asked for just now. Throws `NotFound`,
   * `ServiceUnavailable` when the cell does not say.
   */
  async payee(livemode: boolean, walletId: string, param: string): Promise<Payee> {
    const known = this.payees.get(walletId) ?? (await this.askForPayee(walletId));
    const payee = found(known?.livemode === livemode ? known : null, 'wallet', param);
    this.payees.set(walletId, payee);
    return payee;
  }

  /** Carries on with one that was just written. */
  begin(crossing: Crossing): void {
    const { id } = crossing.transfer;
    const work = this.ask(crossing)
      .then((outcome) => this.follow(crossing, outcome))
      .catch((error: unknown) => {
        this.log.error({ message: 'a transfer was left to its requery', id, err: error });
        return crossing.transfer;
      })
      .finally(() => this.begun.delete(id));
    this.begun.set(id, this.underWay.add(work));
  }

  /** As it is when it has ended, whoever is at it, or `waitMs` have passed. */
  async settle(transfer: Transfer, waitMs: number): Promise<Transfer> {
    if (transfer.status !== 'processing') return transfer;
    const { accountId, livemode, id } = transfer;
    let latest = transfer;
    const ours = Promise.resolve(this.begun.get(id)).then((after) => void (latest = after ?? latest));
    const isRunning = () => latest.status === 'processing';
    await this.waitForEnd({ accountId, livemode, id, ms: waitMs, ours, isRunning });
    return isRunning() ? this.store.find({ accountId, livemode, id }) : latest;
  }

  /** When somebody looks at one that is written now. */
  async firstLook(owner: Tenant): Promise<Date> {
    return new Date((await this.store.now(owner)).getTime() + ABANDONED_AFTER_MS);
  }

  private async lookAgain(key: Key): Promise<void> {
    const crossing = await this.store.load(key);
    if (crossing.transfer.status === 'processing') await this.follow(crossing, await this.ask(crossing));
    else await this.store.keep({ ...crossing.way, nextCheckAt: null });
  }

  /** Null: nobody can say. */
  private async ask({ transfer }: Crossing): Promise<CreditOutcome | null> {
    const order: CreditOrder = {
      transferId: transfer.id,
      livemode: transfer.livemode,
      fromWalletId: transfer.fromWalletId,
      toWalletId: transfer.toWalletId,
      creditTransactionId: transfer.creditTransactionId,
      amount: transfer.amount,
      currency: transfer.currency,
      reference: transfer.reference,
      narration: transfer.narration,
    };
    try {
      const { refusal } = (await this.askCell(CREDITS_PATH, transfer.toWalletId, {
        ...order,
        amount: order.amount.toString(),
      })) as { refusal?: unknown };
      if (refusal === null) return { refusal };
      if (REFUSALS.has(refusal)) return { refusal: refusal as Refusal['reason'] };
      throw new Error(`the other cell said ${JSON.stringify(refusal)}`);
    } catch (error) {
      this.log.warn({ message: 'what became of a transfer is not known yet', id: transfer.id, err: error });
      return null;
    }
  }

  private async askForPayee(walletId: string): Promise<Payee | null> {
    if (this.cells.ownerOf(slotOf(walletId)) === undefined) return null;
    try {
      return ((await this.askCell(PAYEES_PATH, walletId, { walletId })) as { payee: Payee | null }).payee;
    } catch (error) {
      throw new ServiceUnavailable(
        'The cell that keeps the wallet to be paid did not answer. Nothing was changed; send the request again.',
        { cause: error },
      );
    }
  }

  /** The answer of the cell that keeps a wallet. That nobody keeps its slot now does not say that nobody did before. */
  private async askCell(path: string, walletId: string, json: object, isAgain = false): Promise<object> {
    const slot = slotOf(walletId);
    const cell = this.cells.ownerOf(slot);
    if (cell === undefined) throw new Error(`no cell keeps the slot ${slot}`);
    const answer = await this.forwarding.ask(cell, { path, json, slot, requestId: newId(), timeoutMs: ASK_TIMEOUT_MS });
    if (answer.isWrong && !isAgain) {
      await this.cells.refresh();
      return this.askCell(path, walletId, json, true);
    }
    if (answer.status !== 200) throw new Error(`the cell ${cell.name} answered ${answer.status}`);
    return answer.body as object;
  }

  private async follow(crossing: Crossing, outcome: CreditOutcome | null): Promise<Transfer> {
    if (outcome === null) return this.wait(crossing);
    try {
      return await this.end(crossing, outcome.refusal);
    } catch (error) {
      const { accountId, livemode, id } = crossing.transfer;
      const stored = await this.store.find({ accountId, livemode, id });
      // Somebody else, who was told the same, was faster.
      if (stored.status === 'processing') throw error;
      return stored;
    }
  }

  /** Nobody can say: the hold stays, and the cell is asked again. */
  private async wait({ transfer, way }: Crossing): Promise<Transfer> {
    const checks = way.checks + 1;
    if (needsPerson(checks) && !needsPerson(way.checks))
      this.log.error({ message: 'a transfer to another cell has no answer', id: way.id, checks });
    const now = await this.store.now(way);
    const nextCheckAt = new Date(now.getTime() + Math.min(checkDelayMs(way.checks), DELAY_MAX_MS));
    const after = { ...way, checks, nextCheckAt };
    await this.store.keep(after);
    await this.requeries.setAlarms('cell_transfers', after);
    return transfer;
  }

  /** One posting: the hold leaves or goes back, with the records and events of it. Of two, the second fails. */
  private async end(crossing: Crossing, refusal: Refusal['reason'] | null): Promise<Transfer> {
    const { transfer, way, debit } = crossing;
    const { accountId, livemode, currency, amount, id, fromWalletId } = transfer;
    const failure = refusal === null ? null : failureOf(transfer, refusal);
    const after: Transfer = { ...transfer, status: failure === null ? 'successful' : 'failed', failure };
    const hold: HoldStep = {
      kind: failure === null ? 'capture' : 'release',
      holdId: debit.id,
      ledgerAccountId: fromWalletId,
      amount,
      transactionId: debit.id,
    };
    const inTransit = await this.accounts.platform('in_transit', currency, transfer);
    const causes = this.extensions.causes();
    const writes = (posted: Posted): Write[] => {
      const origin = { requestId: way.requestId, idempotencyKey: way.idempotencyKey };
      const ended: TransactionRecord = {
        ...debit,
        status: after.status,
        version: debit.version + 1,
        failure: failure && {
          code: failure.code,
          stage: 'platform',
          recovery: failure.recovery,
          message: failure.message,
        },
        updatedAt: posted.at,
        completedAt: posted.at,
      };
      return [
        transferChange(after, transfer),
        wayChange({ ...way, nextCheckAt: null }),
        ...transactionChange(ended, debit),
        transactionEvent(ended, { previous: debit.status, origin }),
        ...(failure === null ? successWrites(transfer, origin, this.extensions, causes) : freed(transfer, way)),
      ];
    };
    const posting: Posting = {
      id,
      accountId,
      livemode,
      currency,
      holds: [hold],
      lines: failure === null ? [{ ledgerAccountId: inTransit, bucket: 'available', amount, transactionId: null }] : [],
      claim: null,
      writes,
    };
    const outcome = await this.ledger.post(posting);
    if (outcome.status !== 'posted') throw new Error(`the end of transfer ${id} was refused`);
    this.extensions.wake();
    return after;
  }
}

/** What came to nothing stands in nobody's way: the same may be sent again at once. */
function freed(transfer: Transfer, { idempotencyKey }: CellTransfer): Write[] {
  const { accountId, livemode, id: resourceId, fromWalletId, toWalletId, amount, reference } = transfer;
  if (idempotencyKey !== null || reference !== null) return [];
  const [from, to] = [encodeId('wal', fromWalletId), encodeId('wal', toWalletId)];
  return [freeLikeness({ accountId, livemode, resourceId }, likenessValue('transfer', from, to, amount))];
}

/** What a refusal of the other books is called to the payer. */
function failureOf({ toWalletId }: Transfer, reason: Refusal['reason']): TransferFailure {
  const { code, detail, recovery } = refusedTransfer(toWalletId, reason).details;
  return { reason, code, message: detail, recovery: recovery ?? 'none' };
}

/** As the books of this cell would have refused it. */
const refusedTransfer = (toWalletId: string, reason: Refusal['reason']): PostingRefused =>
  new PostingRefused({ reason, ledgerAccountId: toWalletId } as Refusal, (id) => ({
    id: encodeId('wal', id),
    param: '/to_wallet',
  }));

/** A transfer that came to nothing, to whoever asked for it. */
export const asRefusal = ({ toWalletId, failure }: Transfer): PostingRefused =>
  refusedTransfer(toWalletId, failure!.reason as Refusal['reason']);
