import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Currency } from '../../../../core/money/money';
import { Routes } from '../../../../providers/routes';
import { CatalogueService } from '../../../bills/catalogue.service';
import { PlanSyncs } from '../../../data/plan-syncs';
import { AuditService } from '../../audit.service';
import type { SignedIn } from '../../people/sessions.service';

/** Every word of `$2`, in lower case, stands in the text. */
const holdsWords = (text: string): string =>
  `NOT EXISTS (SELECT 1 FROM unnest($2::text[]) word WHERE strpos(lower(${text}), word) = 0)`;

/** By code, behind the code `$1`; a filter that is null lets everything pass. */
const SELECT_PLANS = `
  SELECT plan_code AS code, name, network, country, price::text, currency, active, updated_at AS "updatedAt"
    FROM data_plans
   WHERE plan_code COLLATE "C" > $1 AND ${holdsWords(`name || ' ' || plan_code`)} AND ($3::text IS NULL OR network = $3)
     AND ($4::text IS NULL OR country = $4) AND ($5::boolean IS NULL OR active = $5)
   ORDER BY plan_code COLLATE "C" LIMIT $6`;
const SELECT_BILLERS = `
  SELECT b.code, b.name, b.category, b.country, b.currency, b.min_amount::text AS "minAmount",
         b.max_amount::text AS "maxAmount", b.enabled,
         (SELECT count(*)::integer FROM biller_items i WHERE i.biller_code = b.code) AS items
    FROM billers b
   WHERE b.code COLLATE "C" > $1 AND ${holdsWords(`b.name || ' ' || b.code`)} AND ($3::text IS NULL OR b.category = $3)
     AND ($4::text IS NULL OR b.country = $4) AND ($5::boolean IS NULL OR b.enabled = $5)
   ORDER BY b.code COLLATE "C" LIMIT $6`;
const SELECT_ITEMS = `
  SELECT i.code, i.name, i.amount::text, i.min_amount::text AS "minAmount", i.max_amount::text AS "maxAmount",
         b.currency, i.service_type AS "serviceType", i.enabled
    FROM biller_items i JOIN billers b ON b.code = i.biller_code
   WHERE i.biller_code = $1 ORDER BY i.position, i.code`;
const SELECT_NETWORKS = `
  SELECT country, slug, name, currency, min_amount::text AS "minAmount", max_amount::text AS "maxAmount",
         commission_bps AS "commissionBps", status_message AS "statusMessage"
    FROM networks ORDER BY country, name`;
const SELECT_FACTS = `
  SELECT (SELECT finished_at FROM recurring_runs WHERE job = 'catalogue.sync') AS "syncedAt",
         (SELECT array_agg(DISTINCT network ORDER BY network) FROM data_plans) AS networks,
         (SELECT array_agg(code ORDER BY position) FROM bill_categories) AS categories,
         (SELECT array_agg(DISTINCT country ORDER BY country) FROM
           (SELECT country FROM data_plans UNION SELECT country FROM billers UNION SELECT country FROM networks) c
         ) AS countries`;

/** What a list is narrowed to. `kind`: the network of a plan, the category of a biller. */
export interface CatalogueFilter {
  readonly q?: string;
  readonly kind?: string;
  readonly country?: string;
  readonly on_sale?: boolean;
}

/** Who is asked for it, and whether somebody would be asked now. */
export interface Asked {
  /** In order, those that are switched on. */
  readonly providers: readonly string[];
  readonly isAvailable: boolean;
}

export interface PlanRow {
  readonly code: string;
  readonly name: string;
  readonly network: string;
  readonly country: string;
  readonly price: string;
  readonly currency: Currency;
  readonly active: boolean;
  readonly updatedAt: Date;
}

export interface BillerRow {
  readonly code: string;
  readonly name: string;
  readonly category: string;
  readonly country: string;
  readonly currency: Currency;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly enabled: boolean;
  readonly items: number;
}

export interface ItemRow {
  readonly code: string;
  readonly name: string;
  readonly amount: string | null;
  readonly minAmount: string | null;
  readonly maxAmount: string | null;
  readonly currency: Currency;
  readonly serviceType: string | null;
  readonly enabled: boolean;
}

export interface NetworkRow {
  readonly country: string;
  readonly slug: string;
  readonly name: string;
  readonly currency: Currency;
  readonly minAmount: string;
  readonly maxAmount: string;
  readonly commissionBps: number;
  readonly statusMessage: string | null;
}

export interface CatalogueFacts {
  /** When providers were last asked for their lists, by the day. */
  readonly syncedAt: Date | null;
  readonly networks: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly countries: readonly string[] | null;
}

/** What is sold, whether or not it is on sale now, as operators look at it. */
@Injectable()
export class OperatorCatalogue {
  constructor(
    private readonly dataSource: DataSource,
    private readonly routes: Routes,
    private readonly bills: CatalogueService,
    private readonly syncs: PlanSyncs,
    private readonly audit: AuditService,
  ) {}

  async facts(): Promise<CatalogueFacts> {
    const [facts]: [CatalogueFacts] = await this.dataSource.query(SELECT_FACTS);
    return facts;
  }

  listPlans(filter: CatalogueFilter, after: string, take: number): Promise<PlanRow[]> {
    return this.find(SELECT_PLANS, filter, after, take);
  }

  listBillers(filter: CatalogueFilter, after: string, take: number): Promise<BillerRow[]> {
    return this.find(SELECT_BILLERS, filter, after, take);
  }

  listNetworks(): Promise<NetworkRow[]> {
    return this.dataSource.query(SELECT_NETWORKS);
  }

  /** In the order of the biller's list. Throws `NotFound`. */
  async listItems(biller: string): Promise<ItemRow[]> {
    const { code } = await this.bills.requireBiller(biller);
    return this.dataSource.query(SELECT_ITEMS, [code]);
  }

  /** By network or biller. */
  async asked(
    { accountId }: SignedIn,
    product: 'airtime' | 'data' | 'bills',
    livemode: boolean,
    networks: readonly string[],
  ): Promise<ReadonlyMap<string, Asked>> {
    const routes = (await this.routes.list()).filter((one) => one.product === product && one.livemode === livemode);
    const pairs = [...new Set(networks)].map(async (network): Promise<[string, Asked]> => {
      const own = routes.filter((one) => one.network === network);
      const used = own.length > 0 ? own : routes.filter((one) => one.network === '*');
      const isAvailable = await this.routes.isAvailable({ product, network, livemode, accountId });
      return [
        network,
        { providers: used.filter(({ enabled }) => enabled).map(({ provider }) => provider), isAvailable },
      ];
    });
    return new Map(await Promise.all(pairs));
  }

  /** Has a worker ask a provider for its list. Throws `NotFound`, `PlanSyncUnderWay`. */
  sync(
    { homeAccountId: accountId, userId, email: actor }: SignedIn,
    provider: string,
    { dryRun, maxMove, ip }: { readonly dryRun: boolean; readonly maxMove: number | null; readonly ip: string },
  ): Promise<void> {
    const action = dryRun ? 'catalogue.looked_at' : 'catalogue.sync_ordered';
    const detail = { dry_run: dryRun, max_move: maxMove };
    const entry = { accountId, userId, actor, action, target: provider, ip, detail };
    return this.audit.with((writesOf) =>
      this.syncs.order({ provider, person: actor, dryRun, maxMove }, writesOf(entry)),
    );
  }

  /** Whether a biller can be paid, from now on; every account is told. Throws `NotFound`. */
  async switchBiller(
    { homeAccountId: accountId, userId, email: actor }: SignedIn,
    code: string,
    { enabled, reason, ip }: { readonly enabled: boolean; readonly reason: string; readonly ip: string },
  ): Promise<void> {
    const action = enabled ? 'biller.enabled' : 'biller.disabled';
    const { code: target } = await this.bills.requireBiller(code);
    const entry = { accountId, userId, actor, action, target, ip, detail: { reason } };
    await this.audit.with((writesOf) => this.bills.setEnabled(target, enabled, () => writesOf(entry)));
  }

  private async find<Row>(
    select: string,
    { q, kind, country, on_sale: isOnSale }: CatalogueFilter,
    after: string,
    take: number,
  ): Promise<Row[]> {
    // PostgreSQL refuses to look for text that it cannot hold.
    if ([q, kind, country].some((text) => text?.includes('\0'))) return [];
    const words = (q ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    return this.dataSource.query(select, [after, words, kind ?? null, country ?? null, isOnSale ?? null, take]);
  }
}
