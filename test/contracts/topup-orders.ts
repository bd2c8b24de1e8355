import { newId } from '../../src/core/http/ids';
import type { AirtimeItem } from '../../src/modules/airtime/airtime.provider';
import type { DataItem } from '../../src/modules/data/data.provider';
import type { Order } from '../../src/modules/purchases/purchases.provider';

/** What aggregators of top-ups are asked for: 1,050 naira to a number of MTN. */
export const orderOf = (reference: string, changes: Partial<Order<AirtimeItem>> = {}): Order<AirtimeItem> => ({
  reference,
  accountId: newId(),
  livemode: true,
  purchaseId: newId(),
  amount: 105_000n,
  currency: 'NGN',
  item: { phone: '+2348031234567', network: 'mtn', country: 'NG' },
  options: {},
  providerReference: null,
  scenario: null,
  ...changes,
});

const PLAN = {
  phone: '+2348031234567',
  network: 'mtn',
  country: 'NG',
  plan_name: '1 GB',
  data_bytes: 1_000_000_000,
  validity: { quantity: 1, unit: 'day' },
} as const;

/** Of a plan with this code. */
export const plansOf =
  (plan_code: string) =>
  (reference: string, changes: Partial<DataItem> = {}): Order<DataItem> => ({
    ...orderOf(reference),
    item: { ...PLAN, plan_code, ...changes },
  });
