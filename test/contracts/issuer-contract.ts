import {
  type CardIssuer,
  type CardOrder,
  type FindCardResult,
  ISSUER_STATES,
  type IssueResult,
  type UpdateResult,
} from '../../src/modules/cards/card-issuer';
import { asFindResult, asIssueResult, asUpdateResult } from '../../src/modules/cards/issuers/issuer-client';

/** What the other side does about one card. */
export type IssuerDeed =
  /** Makes it and says so. */
  | 'issues'
  /** Does not, and says so in a way that leaves no doubt. */
  | 'refuses'
  /** Makes it; nothing of its answer ever arrives. */
  | 'stays_silent'
  /** Makes it; nothing of its answer arrives. Asked later it says that our account is suspended, and nothing about the card. */
  | 'locks_us_out'
  /** Makes it; what it answers makes no sense. */
  | 'talks_nonsense';

/** An issuer whose other side is in the hands of the test. */
export interface IssuerRig {
  readonly issuer: CardIssuer;
  /** A new order, about which the other side will do as told at first; asked again it is itself. Nobody was asked yet. */
  readonly order: (deed: IssuerDeed) => CardOrder;
  /** How many cards the other side made for the reference. Absent: nobody counts. */
  readonly made?: (reference: string) => number;
  /** Shows its cards itself: only an issuer of test cards may leave that to us. */
  readonly showsItself: boolean;
  /** Never tells us when a card expires. */
  readonly keepsExpiry?: boolean;
  /** Deeds that the other side cannot do. */
  readonly cannot?: readonly IssuerDeed[];
  readonly close?: () => Promise<void>;
}

const TIMEOUT_MS = 2_000;
/** After this time an issuer counts as hanging. */
const PATIENCE_MS = 5_000;

/** Calls as the service does: what is thrown is `unknown`, and a call has its time. */
async function heard<R>(call: (signal: AbortSignal) => Promise<unknown>, read: (value: unknown) => R): Promise<R> {
  let timer!: NodeJS.Timeout;
  const hangs = new Promise<never>(
    (_, reject) => (timer = setTimeout(() => reject(new Error('the issuer hangs')), PATIENCE_MS)),
  );
  const answered = call(AbortSignal.timeout(TIMEOUT_MS)).then(read, () => read({ outcome: 'unknown', code: 'fault' }));
  return Promise.race([answered, hangs]).finally(() => clearTimeout(timer));
}

const issue = ({ issuer }: IssuerRig, order: CardOrder): Promise<IssueResult> =>
  heard((signal) => issuer.issue(order, signal), asIssueResult);
const find = ({ issuer }: IssuerRig, order: CardOrder): Promise<FindCardResult> =>
  heard((signal) => issuer.find(order, signal), asFindResult);

type IssuerRule = (rig: IssuerRig) => Promise<void>;

/** What every issuer promises. */
export const ISSUER_RULES: Readonly<Record<string, IssuerRule>> = {
  'says which card it made': async (rig) => {
    const result = await issue(rig, rig.order('issues'));
    expect(result).toEqual({
      outcome: 'done',
      issuerReference: expect.any(String),
      last4: expect.stringMatching(/^\d{4}$/),
      expMonth: rig.keepsExpiry ? null : expect.any(Number),
      expYear: rig.keepsExpiry ? null : expect.any(Number),
    });
  },
  'says that it refused, and why': async (rig) => {
    const result = await issue(rig, rig.order('refuses'));
    expect(result).toEqual({
      outcome: 'refused',
      code: expect.stringMatching(/^[a-z][a-z0-9_]*$/),
      message: expect.stringMatching(/\S/),
      recovery: expect.any(String),
    });
  },
  'claims nothing when no answer comes, and does not wait for ever': async (rig) => {
    expect((await issue(rig, rig.order('stays_silent'))).outcome).toBe('unknown');
  },
  'claims nothing after nonsense': async (rig) => {
    expect((await issue(rig, rig.order('talks_nonsense'))).outcome).toBe('unknown');
  },
  'makes one card for one reference, and says the same each time': async (rig) => {
    const order = rig.order('issues');
    const first = await issue(rig, order);
    expect([await issue(rig, order), await issue(rig, order)]).toEqual([first, first]);
    const other = await issue(rig, rig.order('issues'));
    expect(other).not.toEqual(first);
    if (rig.made) expect(rig.made(order.reference)).toBe(1);
  },
  'refuses one reference for one reason': async (rig) => {
    const order = rig.order('refuses');
    expect(await issue(rig, order)).toEqual(await issue(rig, order));
  },
  'finds what it made, also while nobody heard the answer': async (rig) => {
    for (const deed of ['issues', 'stays_silent', 'talks_nonsense'] as const) {
      const order = rig.order(deed);
      const result = await issue(rig, order);
      const found = await find(rig, order);
      expect([deed, found.outcome]).toEqual([deed, 'done']);
      if (result.outcome === 'done') expect(found).toEqual(result);
      if (rig.made) expect(rig.made(order.reference)).toBe(1);
    }
  },
  'finds the refusal where it refused': async (rig) => {
    const order = rig.order('refuses');
    const refused = await issue(rig, order);
    expect(await find(rig, order)).toEqual({ ...refused, about: 'order' });
  },
  'concludes nothing at a requery from words about our account': async (rig) => {
    if (rig.cannot?.includes('locks_us_out')) return;
    const order = rig.order('locks_us_out');
    await issue(rig, order);
    expect((await find(rig, order)).outcome).toBe('unknown');
  },
  'knows no reference that it was never asked for': async (rig) => {
    expect(await find(rig, rig.order('issues'))).toEqual({ outcome: 'not_known' });
  },
  'takes every state, as often as it is told': async (rig) => {
    const order = rig.order('issues');
    await issue(rig, order);
    for (const state of ISSUER_STATES) {
      for (let time = 0; time < 2; time++) {
        const told: UpdateResult = await heard((signal) => rig.issuer.setState(order, state, signal), asUpdateResult);
        expect([state, told]).toEqual([state, { outcome: 'done' }]);
      }
    }
    const back = await heard((signal) => rig.issuer.setState(order, 'active', signal), asUpdateResult);
    expect(back.outcome).toBe('refused');
  },
  'shows a card on a page of its own': async (rig) => {
    const order = rig.order('issues');
    await issue(rig, order);
    const shown = await rig.issuer.reveal(order, AbortSignal.timeout(TIMEOUT_MS));
    if (rig.showsItself) expect(shown).toEqual({ url: expect.stringMatching(/^https:\/\//) });
    else expect(shown).toEqual({ number: expect.stringMatching(/^\d{16}$/), cvv: expect.stringMatching(/^\d{3}$/) });
  },
};

/** Every issuer passes it, wherever it lives. `make` is called for each rule. */
export function issuerContract(name: string, make: () => Promise<IssuerRig> | IssuerRig): void {
  describe(`the issuer ${name}`, () => {
    it.each(Object.entries(ISSUER_RULES))('%s', async (_, rule) => {
      const rig = await make();
      try {
        await rule(rig);
      } finally {
        await rig.close?.();
      }
    });
  });
}
