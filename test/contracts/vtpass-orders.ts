import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../src/core/http/ids';
import type { AirtimeItem } from '../../src/modules/airtime/airtime.provider';
import type { BillItem } from '../../src/modules/bills/bills.provider';
import type { DataItem } from '../../src/modules/data/data.provider';
import type { Order } from '../../src/modules/purchases/purchases.provider';
import { parseJson } from '../../src/providers/http';

export const orderOf = <Item extends object>(item: Item, amount: bigint, reference = newId()): Order<Item> => ({
  reference,
  accountId: newId(),
  livemode: true,
  purchaseId: newId(),
  amount,
  currency: 'NGN',
  item,
  options: {},
  providerReference: null,
  scenario: null,
});

let numbers = 0;
/** Another one each time: within half a minute VTpass takes an order like another for a mistake. */
const nextNumber = (): string => `${++numbers}`.padStart(7, '0');

export const airtimeItem = (): AirtimeItem => ({ phone: `+234803${nextNumber()}`, network: 'mtn', country: 'NG' });
export const dataItem = (): DataItem => ({
  phone: `+234803${nextNumber()}`,
  network: 'mtn',
  country: 'NG',
  plan_code: 'mtn-data.mtn-10mb-100',
  plan_name: 'N100 100MB - 24 hrs',
  data_bytes: 104_857_600,
  validity: { quantity: 24, unit: 'hour' },
});
export const billItem = (changes: Partial<BillItem> = {}): BillItem => ({
  biller: 'ikeja-electric',
  category: 'electricity',
  itemCode: 'prepaid',
  customer: `111111${nextNumber()}`,
  customerName: null,
  serviceType: 'prepaid',
  quantity: 1,
  ...changes,
});
export const pinItem = (changes: Partial<BillItem> = {}): BillItem =>
  billItem({
    biller: 'waec-result',
    category: 'education',
    itemCode: 'waec-result-pin',
    customer: `0803${nextNumber()}`,
    serviceType: null,
    ...changes,
  });

/** As the way out reads it: decimals are text. */
export const fixture = (name: string): Record<string, unknown> =>
  parseJson(readFileSync(join(__dirname, '../pretended/vtpass/fixtures', `${name}.json`), 'utf8')) as Record<
    string,
    unknown
  >;
