import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { RequestClaim } from '../../core/idempotency/claim';
import { type PurchasePreview, type PurchaseResult, PurchasesService } from '../purchases/purchases.service';
import type { NewPurchase } from '../purchases/running';
import { assertCustomer, type BillOrder, type ResolvedBill, resolveBill } from './bill-order';
import type { BillValidation } from './bill-validation.entity';
import type { Biller } from './biller.entity';
import { BillerUnavailable, FieldRefused } from './bills.errors';
import type { BillItem } from './bills.provider';
import { CatalogueService } from './catalogue.service';
import { ValidationsService } from './validations.service';

const BASIS_POINTS = 10_000n;

/** Pays bills: holds an order against the catalogue and hands it to the purchase flow. */
@Injectable()
export class BillsService {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly validations: ValidationsService,
    private readonly purchases: PurchasesService,
  ) {}

  /**
   * Throws `NotFound`, `FieldRefused`, `ValidationMismatch`, `ValidationExpired`, `PriceChanged`,
   * `AmountOutsideLimits`, `ItemInactive`, `BillerUnavailable` and what `PurchasesService.purchase` throws.
   */
  pay(caller: Caller, order: BillOrder, request: RequestClaim): Promise<PurchaseResult> {
    return this.purchases.purchase(caller, { request, reference: order.reference }, () =>
      this.purchaseOf(caller, order),
    );
  }

  /** What `pay` would do now; writes nothing. */
  async preview(caller: Caller, order: BillOrder): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.purchaseOf(caller, order));
  }

  private async purchaseOf(caller: Caller, order: BillOrder): Promise<NewPurchase<BillItem>> {
    const biller = await this.catalogue.requireBiller(order.billerCode, '/biller_code');
    assertCustomer(biller, order.customer);
    if (!biller.enabled) throw new BillerUnavailable(biller.name);
    if (biller.validationRequired && order.validationId === null) {
      throw new FieldRefused(
        '/validation_id',
        `/validation_id is required: POST /v4/bills/validate tells who the customer of ${biller.name} is.`,
      );
    }
    const validation =
      order.validationId === null
        ? null
        : await this.validations.requireFor(caller, decodeId('val', order.validationId), order);
    const bill = resolveBill(biller, await this.catalogue.listItems(biller), order, validation);
    return newPurchase(biller, order, bill, validation);
  }
}

function newPurchase(
  biller: Biller,
  order: BillOrder,
  bill: ResolvedBill,
  validation: BillValidation | null,
): NewPurchase<BillItem> {
  const { item, itemCode, serviceType, quantity, amount } = bill;
  const { walletId, reference, metadata, allowDuplicate, deliverBy, onInsufficientFunds, scenario, waitMs, customer } =
    order;
  const customerName = validation?.customerName ?? null;
  return {
    walletId,
    reference,
    metadata,
    allowDuplicate,
    deliverBy,
    onInsufficientFunds,
    scenario,
    waitMs,
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
    },
  };
}
