import { newId } from '../../src/core/http/ids';
import { ExampleIssuer } from '../../src/extensions/example/example-issuer';
import type { CardIssuer, CardOrder, IssuerRefused } from '../../src/modules/cards/card-issuer';
import { cardholder } from '../support/cardholder';
import { ISSUER_RULES, issuerContract, type IssuerRig } from './issuer-contract';
import { IssuerServer } from './issuer-server';
import { outside } from './outside';

const orderOf = (reference: string): CardOrder => ({
  reference,
  accountId: newId(),
  livemode: true,
  brand: 'visa',
  issuerReference: null,
  options: {},
  currency: 'USD',
  amount: 5_000n,
  nameOnCard: 'ADA OBI',
  cardholder: {
    firstName: 'Ada',
    lastName: 'Obi',
    email: 'ada@example.com',
    phone: '+2348031234567',
    dateOfBirth: '1990-04-21',
    address: cardholder().address,
    identity: cardholder().identity,
  },
});

async function rig(): Promise<IssuerRig> {
  const server = await IssuerServer.start();
  return {
    issuer: new ExampleIssuer({ url: server.baseUrl, key: 'secret' }, outside()),
    order: (deed) => {
      const reference = newId();
      server.plan(reference, deed);
      return orderOf(reference);
    },
    made: (reference) => server.made.get(reference) ?? 0,
    showsItself: true,
    close: () => server.stop(),
  };
}

issuerContract('of the guide, over HTTP', rig);

// #region of the example
const REFUSED: IssuerRefused = { outcome: 'refused', code: 'timeout', message: 'No answer.', recovery: 'none' };

/** Mistakes that adapters make, under the rule that shows them. */
const WRONG: Record<string, (right: CardIssuer) => Partial<CardIssuer>> = {
  'says which card it made': (right) => ({
    issue: async (...asked) => ({ ...(await right.issue(...asked)), issuerReference: '' }) as never,
  }),
  'says that it refused, and why': () => ({
    issue: async () => {
      throw new Error('refused');
    },
  }),
  'claims nothing when no answer comes, and does not wait for ever': (right) => ({
    issue: (...asked) => right.issue(...asked).catch(() => REFUSED),
  }),
  'claims nothing after nonsense': (right) => ({
    issue: (...asked) =>
      right.issue(...asked).then(
        (result) => (result.outcome === 'unknown' ? REFUSED : result),
        () => REFUSED,
      ),
  }),
  'makes one card for one reference, and says the same each time': (right) => ({
    issue: (order, signal) => right.issue({ ...order, reference: newId() }, signal),
  }),
  'refuses one reference for one reason': (right) => {
    let times = 0;
    return { issue: async (...asked) => ({ ...(await right.issue(...asked)), code: `reason_${times++}` }) };
  },
  'finds what it made, also while nobody heard the answer': () => ({ find: async () => ({ outcome: 'not_known' }) }),
  'finds the refusal where it refused': () => ({ find: async () => ({ outcome: 'unknown', code: 'x' }) }),
  'concludes nothing at a requery from words about our account': (right) => ({
    find: (...asked) =>
      right
        .find(...asked)
        .then((found) => (found.outcome === 'unknown' ? { ...REFUSED, about: 'order' as const } : found)),
  }),
  'knows no reference that it was never asked for': () => ({ find: async () => ({ outcome: 'unknown', code: 'x' }) }),
  'takes every state, as often as it is told': (right) => ({
    setState: async (card, state, signal) =>
      state === 'frozen' ? { outcome: 'unknown', code: 'x' } : right.setState(card, state, signal),
  }),
  'shows a card on a page of its own': () => ({ reveal: async () => ({ number: '4000001234567899', cvv: '123' }) }),
};

describe('an issuer that is wrong is found out', () => {
  it.each(Object.entries(ISSUER_RULES))('when it does not keep to: %s', async (name, rule) => {
    const { issuer, ...more } = await rig();
    const asIs: CardIssuer = {
      issue: (...a) => issuer.issue(...a),
      find: (...a) => issuer.find(...a),
      setState: (...a) => issuer.setState(...a),
      reveal: (...a) => issuer.reveal(...a),
    };
    try {
      await expect(rule({ ...more, issuer: { ...asIs, ...WRONG[name]!(asIs) } })).rejects.toThrow(/expect\(|hangs/);
    } finally {
      await more.close!();
    }
  });
});
// #endregion
