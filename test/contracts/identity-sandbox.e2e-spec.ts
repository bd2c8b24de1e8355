import { decodeId, newId } from '../../src/core/http/ids';
import { SandboxIdentities } from '../../src/modules/cards/sandbox/sandbox-identities';
import { cardholder } from '../support/cardholder';
import { Duka } from '../support/duka';
import { identityContract } from './identity-rules';

let duka: Duka;
let accountId: string;
beforeAll(async () => {
  duka = await Duka.start();
  accountId = decodeId('acct', (await duka.account()).id)!;
});
afterAll(() => duka.stop());

identityContract('of the sandbox', () => ({
  provider: duka.get<SandboxIdentities>(SandboxIdentities),
  order: (person) => {
    const { first_name: firstName, last_name: lastName, date_of_birth: dateOfBirth, ...rest } = cardholder();
    const { email, phone, address } = rest;
    const identity = { type: 'nin', number: person === 'known' ? '12345678000' : '12345678902' };
    return {
      reference: newId(),
      accountId,
      livemode: false,
      person: { firstName, lastName, dateOfBirth, email, phone, address, identity },
    };
  },
}));

it('of the sandbox verifies nobody real', async () => {
  const order = { reference: newId(), accountId, livemode: true } as never;
  await expect(duka.get<SandboxIdentities>(SandboxIdentities).verify(order)).rejects.toThrow('real');
});
