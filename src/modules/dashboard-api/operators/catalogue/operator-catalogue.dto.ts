import { field, Flag as BodyFlag, Text } from '../../../../core/http/fields';
import { timeOf } from '../../../../core/http/ids';
import { Flag, PageQuery } from '../../../../core/http/query-fields';
import { type Currency, displayMoney } from '../../../../core/money/money';
import type { PlanSource, PlanSync } from '../../../data/plan-syncs';
import type { Asked, BillerRow, CatalogueFacts, ItemRow, NetworkRow, PlanRow } from './operator-catalogue.service';

const WORD_MAX = 64;
const SEARCH_MAX = 128;
const REASON_MAX = 500;
const MOVE_MAX = 999_999;

/** Who is asked, in which mode. */
export class AskedQuery {
  @Flag()
  livemode: boolean = true;
}

export class CatalogueQuery extends PageQuery {
  @Flag()
  livemode: boolean = true;

  /** Words of name or code. */
  @Text(SEARCH_MAX, { optional: true })
  q?: string;

  /** The network of plans, the category of billers. */
  @Text(WORD_MAX, { optional: true })
  kind?: string;

  @Text(2, { optional: true })
  country?: string;

  /** Only what is on sale, or only what is not. */
  @Flag()
  on_sale?: boolean;
}

const display = (amount: string, currency: Currency): string => displayMoney({ amount: BigInt(amount), currency });

/** Who is asked for it. */
export class AskedDto {
  /** In order, those that are switched on. */
  providers: string[];
  /** Somebody would be asked now. */
  available: boolean;

  static of(this: void, asked: Asked | undefined): AskedDto {
    return { providers: [...(asked?.providers ?? [])], available: asked?.isAvailable ?? false };
  }
}

export class SoldPlanDto {
  code: string;
  name: string;
  network: string;
  country: string;
  price_display: string;
  on_sale: boolean;
  asked: AskedDto;
  /** When an import, or a provider's list, last changed it. */
  updated_at: Date;

  static of(this: void, row: PlanRow, asked: Asked | undefined): SoldPlanDto {
    const { price, currency, active, updatedAt, ...facts } = row;
    return {
      ...facts,
      price_display: display(price, currency),
      on_sale: active,
      asked: AskedDto.of(asked),
      updated_at: updatedAt,
    };
  }
}

export class SoldPlansDto {
  data: SoldPlanDto[];
  next_cursor: string | null;
}

export class SoldBillerDto {
  code: string;
  name: string;
  category: string;
  country: string;
  min_display: string;
  max_display: string;
  /** How many packages, bundles and PINs it has. */
  items: number;
  on_sale: boolean;
  asked: AskedDto;

  static of(this: void, row: BillerRow, asked: Asked | undefined): SoldBillerDto {
    const { minAmount, maxAmount, currency, enabled, ...facts } = row;
    return {
      ...facts,
      min_display: display(minAmount, currency),
      max_display: display(maxAmount, currency),
      on_sale: enabled,
      asked: AskedDto.of(asked),
    };
  }
}

export class SoldBillersDto {
  data: SoldBillerDto[];
  next_cursor: string | null;
}

/** What a biller sells. */
export class SoldItemDto {
  code: string;
  name: string;
  service_type: string | null;
  /** Of one; null for any amount within the bounds. */
  price_display: string | null;
  min_display: string | null;
  max_display: string | null;
  on_sale: boolean;

  static of(this: void, { code, name, serviceType, amount, minAmount, maxAmount, currency, enabled }: ItemRow) {
    return {
      code,
      name,
      service_type: serviceType,
      price_display: amount && display(amount, currency),
      min_display: minAmount && display(minAmount, currency),
      max_display: maxAmount && display(maxAmount, currency),
      on_sale: enabled,
    };
  }
}

export class SoldItemsDto {
  data: SoldItemDto[];
}

/** A network whose airtime is sold. */
export class SoldNetworkDto {
  slug: string;
  name: string;
  country: string;
  min_display: string;
  max_display: string;
  commission_bps: number;
  status_message: string | null;
  asked: AskedDto;

  static of(this: void, row: NetworkRow, asked: Asked | undefined): SoldNetworkDto {
    const { minAmount, maxAmount, currency, commissionBps, statusMessage, ...facts } = row;
    return {
      ...facts,
      min_display: display(minAmount, currency),
      max_display: display(maxAmount, currency),
      commission_bps: commissionBps,
      status_message: statusMessage,
      asked: AskedDto.of(asked),
    };
  }
}

export class SoldNetworksDto {
  data: SoldNetworkDto[];
}

/** What the catalogue can be narrowed to, and how young it is. */
export class CatalogueFactsDto {
  /** When live providers were last asked for their lists of plans; null: never. */
  synced_at: Date | null;
  networks: string[];
  categories: string[];
  countries: string[];

  static of(this: void, { syncedAt, networks, categories, countries }: CatalogueFacts): CatalogueFactsDto {
    return {
      synced_at: syncedAt,
      networks: [...(networks ?? [])],
      categories: [...(categories ?? [])],
      countries: [...(countries ?? [])],
    };
  }
}

/** A list of a provider that was asked for. */
export class PlanSyncDto {
  person: string;
  /** Nothing was to be changed. */
  dry_run: boolean;
  ordered_at: Date;
  ended_at: Date | null;
  added: number | null;
  changed: number | null;
  unchanged: number | null;
  /** What cannot be a plan as it stands. */
  left: number | null;
  /** What was changed, or would be, a line each: the first hundred. */
  lines: string[];
  /** Why nothing came of it. */
  failure: string | null;

  static of(this: void, { id, person, dryRun, endedAt, outcome, failure }: PlanSync): PlanSyncDto {
    return {
      person,
      dry_run: dryRun,
      ordered_at: timeOf(id),
      ended_at: endedAt,
      added: outcome?.added ?? null,
      changed: outcome?.changed ?? null,
      unchanged: outcome?.unchanged ?? null,
      left: outcome?.left ?? null,
      lines: [...(outcome?.lines ?? [])],
      failure,
    };
  }
}

/** A live provider that has a list of its plans. */
export class PlanSourceDto {
  provider: string;
  /** What was ordered last. */
  last: PlanSyncDto | null;

  static of(this: void, { provider, last }: PlanSource): PlanSourceDto {
    return { provider, last: last && PlanSyncDto.of(last) };
  }
}

export class PlanSourcesDto {
  data: PlanSourceDto[];
}

const isMove = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOVE_MAX;

export class SyncPlansDto {
  /** Only look at what would change. */
  @BodyFlag()
  dry_run: boolean;

  /** Nothing is imported when a price would move by more, in basis points; absent: however far it moves. */
  @field(
    { type: 'integer', minimum: 1, maximum: MOVE_MAX },
    [{ name: 'max_move', says: `must be a whole number from 1 to ${MOVE_MAX}`, holds: isMove }],
    { optional: true },
  )
  max_move?: number | null;
}

export class SwitchBillerDto {
  @BodyFlag()
  enabled: boolean;

  /** Why: goes to the audit log. */
  @Text(REASON_MAX)
  reason: string;
}
