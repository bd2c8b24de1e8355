import { accountReferenceOf, keyOfAccountReference } from '../../src/modules/virtual-accounts/bank-client';
import { decodeId, encodeId, newId, newIdOf } from '../../src/core/http/ids';
import {
  SandboxTransferBank,
  SandboxVirtualAccounts,
} from '../../src/modules/virtual-accounts/sandbox/sandbox.provider';
import { Duka } from '../support/duka';
import { Funder } from '../support/funder';
import { virtualAccountContract } from './virtual-account-rules';

let duka: Duka;
let funder: Funder;
beforeAll(async () => {
  duka = await Duka.start();
});
beforeEach(async () => {
  funder = await Funder.of(duka);
});
afterAll(() => duka.stop());

virtualAccountContract('of the sandbox', () => {
  const accountId = decodeId('acct', funder.account.id)!;
  const bank = duka.get<SandboxVirtualAccounts>(SandboxVirtualAccounts);
  return {
    bank,
    order: () => ({
      reference: accountReferenceOf({ accountId, id: newIdOf(accountId) }),
      accountId,
      livemode: false,
      kind: 'permanent',
      currency: 'NGN',
      amount: null,
      label: null,
      expiresAt: null,
    }),
    // Somebody pays, the callback is lost, and the day is over.
    pay: async ({ reference }, amount) => {
      const { id } = keyOfAccountReference(reference)!;
      await duka.asOwner(
        `INSERT INTO sandbox_bank_transfers (account_id, id, virtual_account_id, amount, currency, payer_name,
           payer_number, arrived_at) VALUES ($1, $2, $3, $4, 'NGN', 'Ada Obi', '0123456789', now() - interval '2 days')`,
        [accountId, newIdOf(accountId), id, amount.toString()],
      );
      const { arrivals } = (await bank.list({ livemode: false, accountId, since: new Date(0), cursor: null })) as any;
      return arrivals[0];
    },
    callback: (arrival) => duka.get<SandboxTransferBank>(SandboxTransferBank).callback(arrival),
  };
});

it('has numbers that its own callbacks name', () => {
  const id = newId();
  const accountId = decodeId('acct', funder.account.id)!;
  const reference = accountReferenceOf({ accountId, id });
  expect(reference).toMatch(/^[a-z0-9_]{1,64}$/);
  expect(keyOfAccountReference(reference)).toEqual({ accountId, id });
  expect(keyOfAccountReference(encodeId('vac', id))).toBeNull();
});
