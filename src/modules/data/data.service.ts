import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../core/errors/domain-error';
import type { Caller } from '../../core/http/caller';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { displayMoney, toJsonNumber } from '../../core/money/money';
import type { Viewer } from '../../core/resources/resources';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import { type MismatchRule, type NetworkSource, PhoneService } from '../phones/phone.service';
import { Routes } from '../../providers/routes';
import { type PurchasePreview, PurchasesService } from '../purchases/purchases.service';
import { QueuedPurchases } from '../purchases/queued-purchases';
import { type CommonPurchase, type NewPurchase, priceOf, UNCONDITIONAL } from '../purchases/running';
import type { TransactionRecord } from '../transactions/transactions.service';
import { DataPlansService } from './data-plans.service';
import type { DataPlan } from './data-plan';
import type { DataItem } from './data.provider';

/** A plan for a number, as the caller asks for it. */
export interface WantedData {
  readonly planCode: string;
  /** What the caller expects to pay, in minor units. */
  readonly price: bigint | null;
  /** Null: the beneficiary's. */
  readonly phone: string | null;
  /** Public id. */
  readonly beneficiaryId: string | null;
  readonly country: string | null;
  readonly network: string | null;
  readonly onNetworkMismatch: MismatchRule;
  readonly terms: CommonPurchase;
}

const BASIS_POINTS = 10_000n;

/** Sells data plans: holds a request against the catalogue and hands it to the purchase flow. */
@Injectable()
export class DataService implements OnModuleInit {
  constructor(
    private readonly plans: DataPlansService,
    private readonly phones: PhoneService,
    private readonly purchases: PurchasesService,
    private readonly routes: Routes,
    private readonly beneficiaries: BeneficiariesService,
    private readonly waiting: QueuedPurchases,
  ) {}

  onModuleInit(): void {
    this.waiting.include('data', async (waited) => {
      const plan = await this.requireSold(waited.purchase.variant!);
      const { amount } = priceOf(waited);
      if (plan.price > amount) throw new PriceChanged(plan, amount);
      return UNCONDITIONAL;
    });
  }

  /**
   * Throws `NotFound`, `BeneficiaryKindMismatch`, `PlanInactive`, `PriceChanged`, `NotOfThePlansNetwork` and what
   * `PhoneService.resolve` and `PurchasesService.purchase` throw.
   */
  async buy(caller: Caller, wanted: WantedData, request: RequestClaim): Promise<Made<TransactionRecord>> {
    const made = await this.purchases.purchase(caller, { request, reference: wanted.terms.reference }, () =>
      this.orderOf(caller, wanted),
    );
    return this.beneficiaries.noteUse(caller, wanted.beneficiaryId, made);
  }

  /** What `buy` would do now; writes nothing. */
  async preview(caller: Caller, wanted: WantedData): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.orderOf(caller, wanted));
  }

  /** What `buy` would cost now, whether or not the wallet has it. */
  async price(caller: Caller, wanted: WantedData): Promise<TransactionRecord> {
    return this.purchases.price(caller, await this.orderOf(caller, wanted));
  }

  /** Of the networks of some plans, those for which somebody can deliver now. */
  async deliverable(viewer: Viewer, plans: readonly DataPlan[]): Promise<ReadonlySet<string>> {
    const networks = [...new Set(plans.map(({ network }) => network))];
    const answers = await Promise.all(
      networks.map((network) => this.routes.isAvailable({ ...viewer, product: 'data', network })),
    );
    return new Set(networks.filter((_, index) => answers[index]));
  }

  private async orderOf(viewer: Viewer, wanted: WantedData): Promise<NewPurchase<DataItem>> {
    const plan = await this.requireSold(wanted.planCode);
    if (wanted.price !== null && wanted.price !== plan.price) throw new PriceChanged(plan, wanted.price);
    const { phone, source } = await this.recipient(viewer, plan, wanted);
    const { planCode, name, network, country, price, currency, validity } = plan;
    const bought = {
      phone,
      network,
      plan_code: planCode,
      plan_name: name,
      data_bytes: toJsonNumber(plan.dataBytes),
      validity,
    };
    return {
      ...wanted.terms,
      product: 'data',
      amount: price,
      commission: (price * BigInt(plan.commissionBps)) / BASIS_POINTS,
      currency,
      recipient: phone,
      network,
      variant: planCode,
      item: { ...bought, country },
      details: {
        ...bought,
        network_source: source,
        ...(wanted.beneficiaryId && { beneficiary_id: wanted.beneficiaryId }),
      },
    };
  }

  /** Throws `NotFound`, `PlanInactive`. */
  private async requireSold(planCode: string): Promise<DataPlan> {
    const plan = await this.plans.require(planCode);
    if (!plan.active) throw new PlanInactive(plan);
    return plan;
  }

  /** A number of the plan's network, or of any other of its country where the caller insists. */
  private async recipient(
    viewer: Viewer,
    plan: DataPlan,
    wanted: WantedData,
  ): Promise<{ phone: string; source: NetworkSource }> {
    const { livemode } = viewer;
    const kept = (await this.beneficiaries.requirePayable(viewer, wanted.beneficiaryId, 'phone'))?.details;
    const written = kept?.phone ?? wanted.phone!;
    const { onNetworkMismatch: rule } = wanted;
    const named = wanted.network ?? kept?.network ?? null;
    const given = named === null ? null : await this.phones.findNetwork(plan.country, named);
    if (named !== null && given?.slug !== plan.network)
      throw new NotOfThePlansNetwork(
        plan,
        wanted.network === null ? `the beneficiary is kept with ${named}` : `the request says ${named}`,
        wanted.network === null ? '/beneficiary_id' : '/network',
      );
    const asked = {
      phone: written,
      country: wanted.country ?? (written.startsWith('+') ? null : plan.country),
      livemode,
    };
    const facts = await this.phones.lookUp(asked);
    if (facts.valid && facts.country !== plan.country)
      throw new NotOfThePlansNetwork(plan, `${facts.phone} is a number of ${facts.country}`, '/phone');
    // Only the plan can be sold: whether the number may decide or not, one of another network is refused.
    const number = await this.phones.resolve({
      ...asked,
      network: plan.network,
      on_network_mismatch: rule === 'use_given' ? rule : 'use_detected',
    });
    if (number.network !== plan.network)
      throw new NotOfThePlansNetwork(plan, `${number.phone} seems to belong to ${number.network}`, '/phone');
    return { phone: number.phone, source: given === null && facts.network === plan.network ? 'prefix' : 'given' };
  }
}

/** The caller expects another price. Nothing was sold. */
class PriceChanged extends DomainError {
  constructor({ planCode, price, currency }: DataPlan, actual: bigint) {
    super({
      code: 'price_changed',
      kind: 'conflict',
      title: 'Price changed',
      detail: `${planCode} costs ${price} now, which is ${displayMoney({ amount: price, currency })}.`,
      param: '/amount',
      figures: { expected: price, actual },
    });
  }
}

class PlanInactive extends DomainError {
  constructor({ planCode }: DataPlan) {
    super({
      code: 'plan_inactive',
      kind: 'conflict',
      title: 'Plan inactive',
      detail: `${planCode} is not sold at the moment. GET /v4/data/plans lists what is.`,
      param: '/plan_code',
    });
  }
}

/** The number, or the network that the caller names, is not of the plan's network. */
class NotOfThePlansNetwork extends DomainError {
  constructor({ planCode, network, country }: DataPlan, what: string, param: string) {
    super({
      code: 'network_mismatch',
      kind: 'unprocessable',
      title: 'Network mismatch',
      detail: `${planCode} is a plan of ${network} in ${country}; ${what}.`,
      param,
    });
  }
}
