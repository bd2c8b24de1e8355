import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Presents, type Viewer } from '../../core/resources/resources';
import { BeneficiariesService } from '../beneficiaries/beneficiaries.service';
import type { BeneficiaryDetails } from '../beneficiaries/beneficiary.entity';
import { isSameName, NameMismatch } from '../beneficiaries/is-same-name';
import { type PurchasePreview, PurchasesService } from '../purchases/purchases.service';
import { QueuedPurchases } from '../purchases/queued-purchases';
import { type NewPurchase, UNCONDITIONAL } from '../purchases/running';
import type { TransactionRecord } from '../transactions/transactions.service';
import {
  assertCustomer,
  assertSold,
  type BillOrder,
  type ResolvedBill,
  resolveBill,
  type WantedBill,
} from './bill-order';
import type { BillValidation } from './bill-validation.entity';
import { BillerStatusDto } from './biller.dto';
import type { Biller } from './biller.entity';
import { BillValidationDto } from './bills.dto';
import { FieldRefused, refusedAt } from '../../core/errors/domain-error';
import { ProviderUnavailable } from '../../providers/routes';
import type { BillItem } from './bills.provider';
import { CatalogueService } from './catalogue.service';
import { ValidationsService } from './validations.service';

const BASIS_POINTS = 10_000n;
/** Whose billers' customers a kind of beneficiaries is. */
const CATEGORIES = { meter: 'electricity', smartcard: 'tv' } as const;

/** Pays bills: holds an order against the catalogue and hands it to the purchase flow. */
@Injectable()
export class BillsService implements OnModuleInit {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly validations: ValidationsService,
    private readonly purchases: PurchasesService,
    private readonly beneficiaries: BeneficiariesService,
    private readonly waiting: QueuedPurchases,
  ) {}

  onModuleInit(): void {
    this.waiting.include('bills', async ({ purchase }) => {
      const biller = await this.catalogue.requireBiller(purchase.network);
      requireReachable(biller);
      const items = await this.catalogue.listItems(biller);
      assertSold(items.find(({ code }) => code === purchase.variant) ?? null);
      return UNCONDITIONAL;
    });
    for (const kind of ['meter', 'smartcard'] as const)
      this.beneficiaries.include({
        kind,
        check: (caller, details) => refusedAt(`/${kind}`, () => this.checkKept(caller, kind, details)),
      });
  }

  /**
   * Throws `NotFound`, `FieldRefused`, `BeneficiaryKindMismatch`, `NameMismatch`, `CustomerNotFound`,
   * `ValidationMismatch`, `ValidationExpired`, `PriceChanged`, `AmountOutsideLimits`, `ItemInactive`,
   * `ProviderUnavailable` and what `PurchasesService.purchase` throws.
   */
  async pay(caller: Caller, wanted: WantedBill, request: RequestClaim): Promise<Made<TransactionRecord>> {
    const made = await this.purchases.purchase(caller, { request, reference: wanted.terms.reference }, () =>
      this.purchaseOf(caller, wanted, { isKept: true }),
    );
    return this.beneficiaries.noteUse(caller, wanted.beneficiaryId, made);
  }

  /** What `pay` would do now; writes nothing, but of a beneficiary the biller may be asked who it is. */
  async preview(caller: Caller, wanted: WantedBill): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.purchaseOf(caller, wanted, { isKept: false }));
  }

  /** What `pay` would cost now, whether or not the wallet has it. */
  async price(caller: Caller, wanted: WantedBill): Promise<TransactionRecord> {
    return this.purchases.price(caller, await this.purchaseOf(caller, wanted, { isKept: false }));
  }

  @Presents('val', 'purchases:read')
  async validation(viewer: Viewer, id: string): Promise<BillValidationDto> {
    return BillValidationDto.of(await this.validations.require(viewer, id));
  }

  /** A change of status is told once, by an event that carries it. */
  @Presents('bst', 'purchases:read')
  status(viewer: Viewer, id: string): Promise<object> {
    return Promise.resolve(BillerStatusDto.of(viewer, id));
  }

  private async purchaseOf(
    caller: Caller,
    wanted: WantedBill,
    { isKept }: { isKept: boolean },
  ): Promise<NewPurchase<BillItem>> {
    const kept = await this.beneficiaries.requirePayable(caller, wanted.beneficiaryId, 'meter', 'smartcard');
    const order = orderOf(wanted, kept?.details);
    const biller = await this.catalogue.requireBiller(order.billerCode, '/biller_code');
    assertCustomer(biller, order.customer);
    requireReachable(biller);
    const validation = await this.validationOf(caller, biller, order, { isKept });
    // A meter that has come to be somebody else's is not paid by its old name.
    const [known, said] = [kept?.verifiedName, validation?.customerName];
    if (known && said && !isSameName(known, said)) throw new NameMismatch('/beneficiary_id');
    const bill = resolveBill(biller, await this.catalogue.listItems(biller), order, validation);
    return newPurchase(biller, order, bill, validation);
  }

  /** What the biller said of the customer; of a beneficiary it is asked now. Null: it need not be asked. */
  private async validationOf(
    caller: Caller,
    biller: Biller,
    order: BillOrder,
    { isKept }: { isKept: boolean },
  ): Promise<BillValidation | null> {
    if (order.validationId !== null)
      return this.validations.requireFor(caller, decodeId('val', order.validationId), order);
    if (!biller.validationRequired) return null;
    if (order.beneficiaryId !== null) return this.validations.identify(caller, order, { isKept });
    throw new FieldRefused(
      '/validation_id',
      `/validation_id is required: POST /v4/bills/validate tells who the customer of ${biller.name} is.`,
    );
  }

  /** Of a beneficiary: as a validation, at a biller that has such customers. */
  private async checkKept(caller: Caller, kind: keyof typeof CATEGORIES, details: BeneficiaryDetails['meter']) {
    const { biller_code: billerCode, customer_identifier: customer, item_code: itemCode } = details;
    const biller = await this.catalogue.requireBiller(billerCode, '/biller_code');
    if (biller.category !== CATEGORIES[kind])
      throw new FieldRefused('/biller_code', `/biller_code must be of the category ${CATEGORIES[kind]}.`);
    const asked = { billerCode, itemCode, customer, serviceType: details.service_type };
    const { customerName, serviceType } = await this.validations.identify(caller, asked, { isKept: false });
    return { details: { ...details, service_type: serviceType }, number: customer, verifiedName: customerName };
  }
}

/** Throws `ProviderUnavailable`. */
function requireReachable({ enabled, name }: Biller): void {
  if (!enabled) throw new ProviderUnavailable(`${name} cannot be reached`);
}

/** The payment of the customer that it names, or that its beneficiary is. What it says itself comes first. */
function orderOf(wanted: WantedBill, kept: BeneficiaryDetails['meter'] | undefined): BillOrder {
  if (kept === undefined) return { ...wanted, billerCode: wanted.billerCode!, customer: wanted.customer! };
  return {
    ...wanted,
    billerCode: kept.biller_code,
    customer: kept.customer_identifier,
    itemCode: wanted.itemCode ?? kept.item_code,
    serviceType: wanted.serviceType ?? kept.service_type,
  };
}

function newPurchase(
  biller: Biller,
  order: BillOrder,
  bill: ResolvedBill,
  validation: BillValidation | null,
): NewPurchase<BillItem> {
  const { item, itemCode, serviceType, quantity, amount } = bill;
  const { customer, terms } = order;
  const customerName = validation?.customerName ?? null;
  return {
    ...terms,
    product: 'bills',
    amount,
    commission: (amount * BigInt(biller.commissionBps)) / BASIS_POINTS,
    currency: biller.currency,
    recipient: customer,
    network: biller.code,
    variant: itemCode,
    item: { biller: biller.code, category: biller.category, itemCode, customer, customerName, serviceType, quantity },
    details: {
      biller_code: biller.code,
      biller_name: biller.name,
      item_code: itemCode,
      item_name: item?.name ?? null,
      customer_identifier: customer,
      customer_name: customerName,
      service_type: serviceType,
      quantity,
      receipt_number: null,
      tokens: [],
      pins: [],
      ...(order.beneficiaryId && { beneficiary_id: order.beneficiaryId }),
    },
  };
}
