import { decodeId, newId } from '../../src/core/http/ids';
import type { AirtimeItem } from '../../src/modules/airtime/airtime.provider';
import { SandboxAirtime, SandboxBackupAirtime } from '../../src/modules/airtime/providers/sandbox/sandbox.provider';
import type { BillItem } from '../../src/modules/bills/bills.provider';
import { SandboxBackupBills, SandboxBills } from '../../src/modules/bills/providers/sandbox/sandbox.provider';
import type { DataItem } from '../../src/modules/data/data.provider';
import { SandboxBackupData, SandboxData } from '../../src/modules/data/providers/sandbox/sandbox.provider';
import { asFindResult, asProviderResult } from '../../src/modules/purchases/provider-client';
import type { Provider } from '../../src/modules/purchases/purchases.provider';
import { SandboxSignature } from '../../src/providers/sandbox-signature';
import { Duka } from '../support/duka';
import { providerContract } from './provider-contract';
import type { Deed, Rig } from './rig';

/** The sandbox's operator is told what to do by the order. It leaves nobody waiting: a test clock is as patient as one likes. */
const SCENARIOS: Record<Deed, string> = {
  delivers: 'outcome=delivered',
  refuses: 'outcome=failed; code=recipient_barred',
  stays_silent: 'outcome=timeout; then=delivered',
  drips: 'outcome=timeout; then=delivered',
  talks_nonsense: 'outcome=garbage; then=delivered',
  locks_us_out: 'outcome=error; then=never',
  goes_dark: 'outcome=timeout; then=never',
  loses_its_mind: 'outcome=garbage; then=never',
};

const PHONE: AirtimeItem = { phone: '+2348031234567', network: 'mtn', country: 'NG' };
const PLAN: DataItem = {
  ...PHONE,
  plan_code: 'mtn-sme-1gb-1m',
  plan_name: 'MTN SME 1 GB, 1 month',
  data_bytes: 1024 ** 3,
  validity: { quantity: 1, unit: 'month' },
};
/** Brings a token. */
const BILL: BillItem = {
  biller: 'ikeja-electric',
  category: 'electricity',
  itemCode: null,
  customer: '1111111111111',
  customerName: null,
  serviceType: 'prepaid',
  quantity: 1,
};

const PROVIDERS = [
  ['sandbox, airtime', SandboxAirtime, PHONE],
  ['sandbox_backup, airtime', SandboxBackupAirtime, PHONE],
  ['sandbox, data', SandboxData, PLAN],
  ['sandbox_backup, data', SandboxBackupData, PLAN],
  ['sandbox, bills', SandboxBills, BILL],
  ['sandbox_backup, bills', SandboxBackupBills, BILL],
] as const;

let duka: Duka;
let accountId: string;

beforeAll(async () => {
  duka = await Duka.start();
  accountId = decodeId('acct', (await duka.account()).id)!;
});
afterAll(() => duka.stop());

describe.each(PROVIDERS)('%s', (name, type, item) => {
  providerContract(name, () => rigOf(name.split(',')[0]!, duka.get<Provider>(type), item));
});

/** Behind what the purchase flow does with any answer: the sandbox plays also an adapter that passes nonsense on. */
function rigOf(name: string, provider: Provider, item: object): Rig {
  const calls = new SandboxSignature('duka/sandbox-operators/v1', duka.env);
  const signedBy = (by: string) => (reference: string | null) =>
    calls.sign({ ...(reference !== null && { reference }), event: 'delivered' }, by);
  return {
    provider: {
      purchase: async (order, signal) => asProviderResult(await provider.purchase(order, signal)),
      find: async (order, signal) => asFindResult(await provider.find(order, signal)),
      verify: (callback) => provider.verify!(callback),
    },
    order: (deed) => ({
      reference: newId(),
      accountId,
      livemode: false,
      purchaseId: newId(),
      amount: 500_000n,
      currency: 'NGN',
      item,
      options: {},
      providerReference: null,
      scenario: SCENARIOS[deed],
    }),
    callbacks: { own: signedBy(name), foreign: signedBy(name === 'sandbox' ? 'sandbox_backup' : 'sandbox') },
  };
}
