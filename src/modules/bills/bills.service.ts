import { Injectable } from '@nestjs/common';
import type { Caller } from '../../core/http/caller';
import { decodeId } from '../../core/http/ids';
import type { Made, RequestClaim } from '../../core/idempotency/claim';
import { Presents, type Viewer } from '../../core/resources/resources';
import { type PurchasePreview, PurchasesService } from '../purchases/purchases.service';
import type { NewPurchase } from '../purchases/running';
import type { TransactionRecord } from '../transactions/transactions.service';
import { assertCustomer, type BillOrder, type ResolvedBill, resolveBill } from './bill-order';
import type { BillValidation } from './bill-validation.entity';
import { BillerStatusDto } from './biller.dto';
import type { Biller } from './biller.entity';
import { BillValidationDto } from './bills.dto';
import { FieldRefused } from '../../core/errors/domain-error';
import { ProviderUnavailable } from '../../providers/routes';
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
   * `AmountOutsideLimits`, `ItemInactive`, `ProviderUnavailable` and what `PurchasesService.purchase` throws.
   */
  pay(caller: Caller, order: BillOrder, request: RequestClaim): Promise<Made<TransactionRecord>> {
    return this.purchases.purchase(caller, { request, reference: order.reference }, () =>
      this.purchaseOf(caller, order),
    );
  }

  /** What `pay` would do now; writes nothing. */
  async preview(caller: Caller, order: BillOrder): Promise<PurchasePreview> {
    return this.purchases.preview(caller, await this.purchaseOf(caller, order));
  }

  /** What `pay` would cost now, whether or not the wallet has it. */
  async price(caller: Caller, order: BillOrder): Promise<TransactionRecord> {
    return this.purchases.price(caller, await this.purchaseOf(caller, order));
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

  private async purchaseOf(caller: Caller, order: BillOrder): Promise<NewPurchase<BillItem>> {
    const biller = await this.catalogue.requireBiller(order.billerCode, '/biller_code');
    assertCustomer(biller, order.customer);
    if (!biller.enabled) throw new ProviderUnavailable(`${biller.name} cannot be reached`);
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
