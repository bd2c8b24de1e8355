import { Injectable, Logger } from '@nestjs/common';
import { ControlCell } from '../../core/cells/control-cell';
import { Env } from '../../core/config/env';
import { type Tx, UnitOfWork } from '../../core/database/unit-of-work';
import { DomainError, NotFound } from '../../core/errors/domain-error';
import { newId } from '../../core/http/ids';
import { displayMoney } from '../../core/money/money';
import { within } from '../../core/process/work-under-way';
import { Recurring } from '../../core/queue/recurring-jobs';
import { Presents, type Viewer } from '../../core/resources/resources';
import { Registry } from '../../providers/registry';
import { Announcements } from '../accounts/announcements.service';
import { PhoneService } from '../phones/phone.service';
import { CatalogueUpdateDto } from './data.dto';
import type { DataProvider, PlanList } from './data.provider';
import {
  type DataPlan,
  type DataPlanRow,
  type OfferedPlan,
  offeredRows,
  SELECT_DATA_PLANS,
  toDataPlan,
  UPSERT_DATA_PLANS,
} from './data-plan';
import { InvalidPlanFile, readPlans } from './plan-file.dto';

/** A field of a plan, as text. */
interface FieldChange {
  /** As the file calls it. */
  readonly field: string;
  /** Null where the plan is new. */
  readonly before: string | null;
  readonly after: string;
}

/** What an import does to one plan. */
export interface PlanChange {
  readonly plan: OfferedPlan;
  readonly kind: 'added' | 'changed';
  readonly fields: readonly FieldChange[];
}

export interface PlanImport {
  readonly changes: readonly PlanChange[];
  /** Plans of the file that are in the catalogue as they are. */
  readonly unchanged: number;
  /** Codes of plans on sale that the file does not name. They stay: what is to go is imported with `active: false`. */
  readonly unnamed: readonly string[];
}

/** An event stays small, however long the file is. */
const ANNOUNCED_MAX = 100;

const DAY_MS = 24 * 3_600_000;
/** Of all lists of a provider together. */
const LIST_TIMEOUT_MS = 60_000;
const MOVES_SHOWN_MAX = 20;

/** A provider's list would change prices by more than was allowed. */
class PriceMovesTooFar extends DomainError {
  constructor(codes: readonly string[]) {
    const shown = codes.slice(0, MOVES_SHOWN_MAX).join(', ');
    super({
      code: 'price_moves_too_far',
      kind: 'conflict',
      title: 'Price moves too far',
      detail: `Nothing was imported: ${codes.length} prices move too far, ${shown}.`,
    });
  }
}

/** `moveMax`: in basis points of what it costs now. */
function movesFar({ fields }: PlanChange, moveMax: number): boolean {
  const price = fields.find(({ field, before }) => field === 'price' && before !== null);
  if (price === undefined) return false;
  const [before, after] = [BigInt(price.before!), BigInt(price.after)];
  const move = after > before ? after - before : before - after;
  return move * 10_000n > before * BigInt(moveMax);
}

/** Brings an operator's list of plans into the catalogue. */
@Injectable()
export class PlanImportService {
  private readonly log = new Logger('catalogue');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: PhoneService,
    private readonly announcements: Announcements,
    private readonly registry: Registry,
    private readonly env: Env,
    private readonly control: ControlCell,
  ) {}

  /** What each live provider lists, once a day: imported, or told where nobody said how far a price may move. */
  @Recurring({ name: 'catalogue.sync', everyMs: DAY_MS })
  async syncAll(): Promise<void> {
    if (!this.control.isHere) return;
    const { CATALOGUE_SYNC_MAX_MOVE: moveMax = null } = this.env;
    for (const provider of this.listProviders()) {
      try {
        const { changes } = await this.sync(provider, { moveMax, dryRun: moveMax === null });
        const message = moveMax === null ? 'a provider lists other plans than are sold' : 'plans were imported';
        if (changes.length > 0) this.log.warn({ message, provider, changes: changes.length });
      } catch (error) {
        this.log.error({ message: 'the plans of a provider were not imported', provider, err: error });
      }
    }
  }

  /** Live ones that have a list. */
  listProviders(): string[] {
    const sellers = this.registry.listLive().filter(({ product }) => product === 'data');
    return sellers
      .map(({ name }) => name)
      .filter((name) => this.registry.find<DataProvider>('data', name)!.adapter.catalogue !== undefined);
  }

  /**
   * Brings what a live provider says that it sells into the catalogue, as `import` does a file. Nothing is written when
   * the price of a plan that is on sale would move by more than `moveMax`, in basis points: that is for a person to
   * order without the bound. Throws `NotFound` for who has no list, `PriceMovesTooFar`, and what the provider throws.
   */
  async sync(
    provider: string,
    { moveMax, dryRun }: { readonly moveMax: number | null; readonly dryRun: boolean },
  ): Promise<PlanImport & Pick<PlanList, 'left'>> {
    const adapter = this.registry.findOf<DataProvider>('data', provider, true)?.adapter;
    if (adapter?.catalogue === undefined) throw new NotFound('provider', '/name');
    const { plans, left } = await within(LIST_TIMEOUT_MS, (signal) => adapter.catalogue!(signal));
    return { ...(await this.import(plans, { dryRun, moveMax })), left };
  }

  /**
   * `content` is a parsed file. All of it is imported, and every account is told, or, when anything is wrong with it,
   * nothing: throws `InvalidPlanFile`, `PriceMovesTooFar`.
   */
  async import(
    content: unknown,
    { dryRun, moveMax = null }: { readonly dryRun: boolean; readonly moveMax?: number | null },
  ): Promise<PlanImport> {
    if (!dryRun) this.control.requireHere();
    const offered = await this.onKnownNetworks(readPlans(content));
    return this.unitOfWork.run(async (tx) => {
      // Two imports at once: the second compares with what the first has made.
      if (!dryRun) await tx.query('LOCK TABLE data_plans IN SHARE ROW EXCLUSIVE MODE');
      const comparison = compare(await plansOf(tx), offered);
      const far = moveMax === null ? [] : comparison.changes.filter((change) => movesFar(change, moveMax));
      if (far.length > 0 && !dryRun) throw new PriceMovesTooFar(far.map(({ plan }) => plan.planCode));
      if (!dryRun && comparison.changes.length > 0) await this.carryOut(tx, comparison.changes);
      return comparison;
    });
  }

  /** An update is told once, by an event that carries it: there is nothing else to read. */
  @Presents('cat', 'purchases:read')
  update(viewer: Viewer, id: string): Promise<object> {
    return Promise.resolve(CatalogueUpdateDto.of(viewer, id));
  }

  private async carryOut(tx: Tx, changes: readonly PlanChange[]): Promise<void> {
    await tx.query(UPSERT_DATA_PLANS, [offeredRows(changes.map(({ plan }) => plan))]);
    const snapshot = {
      added: changes.filter(({ kind }) => kind === 'added').length,
      changed: changes.filter(({ kind }) => kind === 'changed').length,
      plans: changes
        .slice(0, ANNOUNCED_MAX)
        .map(({ plan, kind, fields }) => ({
          plan_code: plan.planCode,
          kind,
          fields: fields.map(({ field }) => field),
        })),
    };
    await this.announcements.announce(tx, {
      type: 'catalogue.updated',
      objectType: 'cat',
      objectId: newId(),
      snapshot,
    });
  }

  /** Networks by their slugs: a file may use their other names. */
  private async onKnownNetworks(offered: readonly OfferedPlan[]): Promise<OfferedPlan[]> {
    const found = await Promise.all(offered.map(({ country, network }) => this.phones.findNetwork(country, network)));
    const faults = offered.flatMap(({ country, network }, index) =>
      found[index] === null
        ? [
            {
              param: `/${index}/network`,
              code: 'validation_failed',
              detail: `${network} is not a network of ${country}.`,
            },
          ]
        : [],
    );
    if (faults.length > 0) throw new InvalidPlanFile(faults);
    return offered.map((plan, index) => ({ ...plan, network: found[index]!.slug }));
  }
}

async function plansOf(tx: Tx): Promise<DataPlan[]> {
  const rows: DataPlanRow[] = await tx.query(SELECT_DATA_PLANS.text);
  return rows.map(toDataPlan);
}

function compare(known: readonly DataPlan[], offered: readonly OfferedPlan[]): PlanImport {
  const before = new Map(known.map((plan) => [plan.planCode, plan]));
  const named = new Set(offered.map(({ planCode }) => planCode));
  const changes = offered
    .map((plan) => changeOf(before.get(plan.planCode) ?? null, plan))
    .filter(({ fields }) => fields.length > 0);
  const unnamed = known
    .filter(({ planCode, active }) => active && !named.has(planCode))
    .map(({ planCode }) => planCode);
  return { changes, unchanged: offered.length - changes.length, unnamed };
}

function changeOf(before: DataPlan | null, plan: OfferedPlan): PlanChange {
  const names = (Object.keys(plan) as (keyof OfferedPlan)[]).filter(
    (name) => before === null || textOf(before[name]) !== textOf(plan[name]),
  );
  const fields = names.map((name) => ({
    field: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    before: before && textOf(before[name]),
    after: textOf(plan[name]),
  }));
  return { plan, kind: before ? 'changed' : 'added', fields };
}

/** A change in a line, for people. */
export function changeText({ kind, plan: { planCode, name, price: amount, currency }, fields }: PlanChange): string {
  if (kind === 'added') return `+ ${planCode}: ${name}, ${displayMoney({ amount, currency })}`;
  return `~ ${planCode}: ${fields.map(({ field, before, after }) => `${field} ${before} → ${after}`).join(', ')}`;
}

const textOf = (value: OfferedPlan[keyof OfferedPlan]): string =>
  typeof value === 'object' ? `${value.quantity} ${value.unit}` : String(value);
