import { decodeId, newId } from '../../src/core/http/ids';
import { SandboxIssuer } from '../../src/modules/cards/sandbox/sandbox.provider';
import { cardholder } from '../support/cardholder';
import { Duka } from '../support/duka';
import { issuerContract, type IssuerDeed } from './issuer-contract';

/** Its operator is told what to do by the cardholder's name. It never says nothing: silence is an answer, later found out. */
const NAMES: Record<Exclude<IssuerDeed, 'locks_us_out'>, string> = {
  issues: 'Obi',
  refuses: 'DECLINE',
  stays_silent: 'Unknown',
  talks_nonsense: 'Unknown',
};

let duka: Duka;
let accountId: string;

beforeAll(async () => {
  duka = await Duka.start();
  const account = await duka.account();
  accountId = decodeId('acct', account.id)!;
});
afterAll(() => duka.stop());

issuerContract('sandbox', () => {
  const issuer = duka.get<SandboxIssuer>(SandboxIssuer);
  return {
    issuer: {
      issue: (order) => issuer.issue(order),
      // The minute in which it cannot say is over before it is asked again.
      find: async (card) => {
        const found = await issuer.find(card);
        if (found.outcome !== 'unknown') return found;
        const api = duka.api(await duka.key({ accountId }));
        await api.post('/v4/sandbox/clock/advance', { seconds: 60 });
        return issuer.find(card);
      },
      setState: (card, state) => issuer.setState(card, state),
      reveal: (card) => issuer.reveal(card),
    },
    order: (deed) => ({
      reference: newId(),
      accountId,
      livemode: false,
      brand: 'visa',
      issuerReference: null,
      options: {},
      currency: 'USD',
      amount: 5_000n,
      nameOnCard: 'ADA OBI',
      cardholder: {
        firstName: 'Ada',
        lastName: NAMES[deed as keyof typeof NAMES],
        email: 'ada@example.com',
        phone: '+2348031234567',
        dateOfBirth: '1990-04-21',
        address: cardholder().address,
        identity: cardholder().identity,
      },
    }),
    showsItself: false,
    cannot: ['locks_us_out'],
  };
});
