import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ControlCell } from '../../core/cells/control-cell';
import type { Write } from '../../core/database/bulk';
import { constraintOf, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, NotFound } from '../../core/errors/domain-error';
import { newId } from '../../core/http/ids';
import { Recurring } from '../../core/queue/recurring-jobs';
import { changeText, PlanImportService } from './plan-import.service';

/** What an operator orders. */
export interface NewPlanSync {
  readonly provider: string;
  /** E-mail address. */
  readonly person: string;
  readonly dryRun: boolean;
  /** In basis points; null: prices may move however far. */
  readonly maxMove: number | null;
}

/** What was changed, or would be. */
interface SyncOutcome {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** What cannot be a plan of the catalogue as it stands. */
  readonly left: number;
  /** The first of the changes, a line each. */
  readonly lines: readonly string[];
}

export interface PlanSync extends NewPlanSync {
  readonly id: string;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly outcome: SyncOutcome | null;
  /** Why nothing came of it. */
  readonly failure: string | null;
}

/** A live provider that has a list, and what was ordered of it last. */
export interface PlanSource {
  readonly provider: string;
  readonly last: PlanSync | null;
}

/** The provider is being asked already. */
class PlanSyncUnderWay extends DomainError {
  constructor(provider: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      recovery: 'retry_later',
      detail: `${provider} is being asked for its list already.`,
    });
  }
}

const EVERY_MS = 2_000;
/** More than a list and its import may take. */
const LEASE = `interval '3 minutes'`;
const LINES_MAX = 100;

const COLUMNS = `
  id, provider, person, dry_run AS "dryRun", max_move AS "maxMove", started_at AS "startedAt", ended_at AS "endedAt",
  outcome, failure`;
const LAST = `
  SELECT DISTINCT ON (provider) ${COLUMNS} FROM catalogue_syncs WHERE provider = ANY ($1) ORDER BY provider, id DESC`;
const ORDER = `INSERT INTO catalogue_syncs (id, provider, person, dry_run, max_move) VALUES ($1, $2, $3, $4, $5)`;
const CLAIM = `
  UPDATE catalogue_syncs SET started_at = coalesce(started_at, now()), leased_until = now() + ${LEASE}
   WHERE id = (SELECT id FROM catalogue_syncs
                WHERE ended_at IS NULL AND (leased_until IS NULL OR leased_until < now())
                ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${COLUMNS}`;
const END = `
  UPDATE catalogue_syncs SET ended_at = now(), outcome = $2, failure = $3 WHERE id = $1 AND ended_at IS NULL`;

/** Lists of providers that operators have a worker bring into the catalogue, or only look at. */
@Injectable()
export class PlanSyncs {
  private readonly log = new Logger('catalogue');

  constructor(
    private readonly dataSource: DataSource,
    private readonly unitOfWork: UnitOfWork,
    private readonly plans: PlanImportService,
    private readonly control: ControlCell,
  ) {}

  async list(): Promise<PlanSource[]> {
    const providers = this.plans.listProviders();
    const last: PlanSync[] = await this.dataSource.query(LAST, [providers]);
    return providers.map((provider) => ({ provider, last: last.find((one) => one.provider === provider) ?? null }));
  }

  /** For a worker to carry out; `writes` go with it. Throws `NotFound`, `PlanSyncUnderWay`. */
  async order({ provider, person, dryRun, maxMove }: NewPlanSync, writes: readonly Write[]): Promise<void> {
    this.control.requireHere();
    if (!this.plans.listProviders().includes(provider)) throw new NotFound('provider');
    try {
      await this.unitOfWork.run(async (tx) => {
        await tx.query(ORDER, [newId(), provider, person, dryRun, maxMove]);
        await this.unitOfWork.write(tx, writes);
      });
    } catch (error) {
      throw constraintOf(error) === 'catalogue_syncs_open' ? new PlanSyncUnderWay(provider) : error;
    }
  }

  /** One that was ordered and nobody is at: to do it twice changes nothing more. */
  @Recurring({ name: 'catalogue.sync_ordered', everyMs: EVERY_MS })
  async syncOrdered(): Promise<void> {
    if (!this.control.isHere) return;
    const [[ordered]]: [PlanSync[]] = await this.dataSource.query(CLAIM);
    if (ordered === undefined) return;
    const { id, provider, maxMove: moveMax, dryRun } = ordered;
    try {
      const { changes, unchanged, left } = await this.plans.sync(provider, { moveMax, dryRun });
      const added = changes.filter(({ kind }) => kind === 'added').length;
      const sums = { added, changed: changes.length - added, unchanged, left: left.length };
      await this.end(id, { ...sums, lines: changes.slice(0, LINES_MAX).map(changeText) }, null);
    } catch (error) {
      this.log.warn({ message: 'the plans of a provider were not imported', provider, err: error });
      await this.end(id, null, reasonOf(error));
    }
  }

  private async end(id: string, outcome: SyncOutcome | null, failure: string | null): Promise<void> {
    await this.dataSource.query(END, [id, outcome && JSON.stringify(outcome), failure]);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof DomainError ? error.details.detail : error instanceof Error ? error.message : String(error);
