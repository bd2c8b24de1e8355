import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/resources/resources';
import { assertCustomer, limitsOf, namedItem, requireServiceType, serviceTypeOf } from './bill-order.batch';
import type { BillValidation } from './bill-validation.entity';
import type { Biller } from './biller.entity';
import type { BillerItem } from './biller-item.entity';
import { CustomerNotFound } from './bills.errors';
import type { CustomerFound, NewValidation } from './bills.types';
import { CatalogueService } from './catalogue.service';
import { CustomersService } from './customers.service';

/** What is known of a customer, before it is kept. */
export type Identified = Omit<BillValidation, 'id' | 'accountId' | 'livemode' | 'expiresAt'>;

/** Finds out who a customer is. */
@Injectable()
export class IdentificationService {
  constructor(
    private readonly catalogue: CatalogueService,
    private readonly customers: CustomersService,
  ) {}

  /** Throws `NotFound`, `FieldRefused`, `CustomerNotFound`, `BillerUnavailable`. */
  async identify(viewer: Viewer, asked: NewValidation): Promise<Identified> {
    const biller = await this.catalogue.requireBiller(asked.billerCode, '/biller_code');
    assertCustomer(biller, asked.customer);
    const items = await this.catalogue.listItems(biller);
    const item = namedItem(items, asked.itemCode);
    const given = serviceTypeOf(biller, asked, item);
    const serviceType = biller.serviceTypeValidated ? requireServiceType(biller, given) : given;
    const query = { ...asked, category: biller.category, serviceType, livemode: viewer.livemode };
    const { provider, customer } = await this.customers.find(viewer, biller, query);
    if (customer === null) throw new CustomerNotFound(biller.name, biller.customerLabel);
    return { ...asked, ...shownOf(customer, biller, items, item), serviceType, currency: biller.currency, provider };
  }
}

type Shown = Pick<
  BillValidation,
  'customerName' | 'address' | 'arrears' | 'minAmount' | 'maxAmount' | 'currentPlan' | 'renewalAmount'
>;

/** What the biller leaves open, the catalogue says. */
function shownOf(
  customer: CustomerFound,
  biller: Biller,
  items: readonly BillerItem[],
  item: BillerItem | null,
): Shown {
  const { customerName, address, arrears, currentPlan } = customer;
  const { min, max } = limitsOf(biller, item);
  const plan = items.find(({ code }) => code === currentPlan);
  return {
    customerName,
    address,
    arrears,
    currentPlan,
    minAmount: customer.minAmount ?? min,
    maxAmount: customer.maxAmount ?? max,
    renewalAmount: customer.renewalAmount ?? plan?.amount ?? null,
  };
}
