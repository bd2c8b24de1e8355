import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReadPipeline } from '../../core/database/pipeline';
import { found } from '../../core/errors/domain-error';
import { PhoneService } from '../phones/phone.service';
import {
  type DataPlan,
  type DataPlanRow,
  type PlanType,
  SELECT_DATA_PLAN,
  SELECT_DATA_PLANS,
  toDataPlan,
} from './data-plan';

/** What the list of plans may be narrowed to. */
export interface PlanFilters {
  /** Slug or alias. */
  readonly network?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly type?: PlanType;
  /** Words that name or code must hold, whatever their case. */
  readonly q?: string;
}

/** Plans by code, as they were at one moment. */
export interface Catalogue {
  /** Changes with every edit of the table. */
  readonly version: string;
  readonly plans: readonly DataPlan[];
}

/** An operator's edit is listed after this time. A purchase reads its plan from the table and sees it at once. */
const STALE_MS = 1_000;

/** The data plans that the platform sells. */
@Injectable()
export class DataPlansService {
  private readonly known: LRUCache<'all', Catalogue>;

  constructor(
    private readonly reads: ReadPipeline,
    private readonly phones: PhoneService,
  ) {
    this.known = new LRUCache({ max: 1, ttl: STALE_MS, fetchMethod: () => this.read() });
  }

  /** Plans on sale in the order of their codes, from behind the code `after`. */
  async list(filters: PlanFilters, after: string | null, take: number): Promise<Catalogue> {
    const { version, plans } = this.known.get('all') ?? (await this.known.forceFetch('all'));
    const network = await this.slugOf(filters);
    const matches = matcherOf({ ...filters, network });
    return {
      version,
      plans: plans.filter((plan) => (after === null || plan.planCode > after) && matches(plan)).slice(0, take),
    };
  }

  /** The plan as it is now, sold or not. Throws `NotFound`. */
  async require(planCode: string): Promise<DataPlan> {
    const { rows } = await this.reads.query<DataPlanRow>(SELECT_DATA_PLAN, [planCode]);
    return toDataPlan(found(rows[0], 'data plan', '/plan_code'));
  }

  /** Networks go by several names; one that nobody knows has no plans. */
  private async slugOf({ network, country }: PlanFilters): Promise<string | undefined> {
    if (network === undefined) return undefined;
    const known = await this.phones.listNetworks(country ?? null);
    const named = known.find(({ slug }) => slug === network) ?? known.find(({ aliases }) => aliases.includes(network));
    return named?.slug ?? network;
  }

  private async read(): Promise<Catalogue> {
    const { rows } = await this.reads.query<DataPlanRow>(SELECT_DATA_PLANS, []);
    // Of all columns: whoever edits a row by hand may forget `updated_at`.
    const version = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);
    return { version, plans: rows.map(toDataPlan) };
  }
}

function matcherOf({ network, country, type, q = '' }: PlanFilters): (plan: DataPlan) => boolean {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return (plan) =>
    plan.active &&
    (network === undefined || plan.network === network) &&
    (country === undefined || plan.country === country) &&
    (type === undefined || plan.type === type) &&
    words.every((word) => `${plan.name} ${plan.planCode}`.toLowerCase().includes(word));
}
