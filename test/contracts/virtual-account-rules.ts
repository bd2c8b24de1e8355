import { isNativeError } from 'node:util/types';
import type { CallbackRequest } from '../../src/providers/answers';
import {
  asArrivalCallback,
  asConfirmResult,
  asListResult,
  asOpenResult,
} from '../../src/modules/virtual-accounts/bank-client';
import type {
  AccountOrder,
  Arrival,
  ConfirmedArrival,
  TransferQuestion,
  VirtualAccountProvider,
} from '../../src/modules/virtual-accounts/virtual-accounts.provider';

/** A bank whose other side is in the hands of the test. */
export interface BankRig {
  readonly bank: VirtualAccountProvider;
  /** A new account that nobody asked for yet. */
  readonly order: () => AccountOrder;
  /** A payer pays into an account that was opened; what the other side knows of it. */
  readonly pay: (order: AccountOrder, amount: bigint) => Promise<Arrival>;
  /** Minor units that the other side keeps of what arrived. Absent: all of it is settled. */
  readonly kept?: (arrival: Arrival) => bigint;
  /** A callback about a transfer that the other side signed. */
  readonly callback: (arrival: Arrival) => CallbackRequest;
  /** A callback that it signed, about nothing of ours. Absent: it makes none. */
  readonly otherCallback?: () => CallbackRequest;
  /** No token that the other side gave is good from now on. Absent: it gives none. */
  readonly expireTokens?: () => void;
  /** From now on nothing that the other side answers makes sense. Absent: it cannot be made so. */
  readonly talkNonsense?: () => void;
  readonly close?: () => Promise<void>;
}

export type BankRule = (rig: BankRig) => Promise<void>;

const never = (): AbortSignal => new AbortController().signal;
/** The last two digits are lost on whoever thinks in naira. */
const AMOUNT = 5_025n;
const SINCE = new Date('2020-01-01');

const questionOf = ({ accountId, livemode }: AccountOrder, arrival: Arrival): TransferQuestion => ({
  providerReference: arrival.providerReference,
  account: arrival.account,
  accountId,
  livemode,
});

/** An opened account that somebody paid into. */
async function paid(rig: BankRig): Promise<{ order: AccountOrder; arrival: Arrival; question: TransferQuestion }> {
  const order = rig.order();
  await rig.bank.open(order, never());
  const arrival = await rig.pay(order, AMOUNT);
  return { order, arrival, question: questionOf(order, arrival) };
}

async function listed({ bank }: BankRig, { livemode, accountId }: AccountOrder): Promise<Arrival[]> {
  const all: Arrival[] = [];
  for (let cursor: string | null = null; ;) {
    const page = asListResult(await bank.list({ livemode, accountId, since: SINCE, cursor }, never()));
    if (page.outcome !== 'listed') throw new Error(`the list is ${page.code}`);
    all.push(...page.arrivals);
    if (page.next === null) return all;
    cursor = page.next;
  }
}

/** What every bank of virtual accounts keeps to. `virtual-account-contract.spec.ts` breaks each by a bank of its own. */
export const BANK_RULES = {
  'gives an account a number that payers can use': async (rig) => {
    const opened = await rig.bank.open(rig.order(), never());
    // What the service could not read it would not take.
    expect(asOpenResult(opened)).toEqual(opened);
    expect(opened.outcome).toBe('opened');
  },

  'opens one account for one reference, and says the same each time': async (rig) => {
    const order = rig.order();
    const first = await rig.bank.open(order, never());
    const open = () => rig.bank.open(structuredClone(order), never());
    for (const again of await Promise.all([open(), open()])) expect(again).toEqual(first);
    const other = await rig.bank.open(rig.order(), never());
    expect(other).not.toMatchObject({ providerReference: (first as { providerReference: string }).providerReference });
  },

  'closes an account, and again': async (rig) => {
    const order = rig.order();
    await rig.bank.open(order, never());
    for (let i = 0; i < 2; i++) expect(await rig.bank.close(order, never())).toEqual({ outcome: 'closed' });
  },

  'says what arrived, where, and from whom, and the same each time': async (rig) => {
    const { order, arrival, question } = await paid(rig);
    const found = asConfirmResult(await rig.bank.find(question, never()), arrival.providerReference);
    expect(found).toMatchObject({
      outcome: 'received',
      amount: AMOUNT,
      currency: order.currency,
      account: order.reference,
      payer: { name: expect.stringMatching(/\S/) },
      arrivedAt: expect.any(Date),
    });
    expect(asConfirmResult(await rig.bank.find(question, never()), arrival.providerReference)).toEqual(found);
  },

  'says what it keeps of what arrived': async (rig) => {
    const { arrival, question } = await paid(rig);
    const found = asConfirmResult(await rig.bank.find(question, never()), arrival.providerReference);
    expect((found as ConfirmedArrival).fee ?? 0n).toBe(rig.kept?.(arrival) ?? 0n);
  },

  'tells two transfers of one amount apart': async (rig) => {
    const { order, arrival } = await paid(rig);
    expect((await rig.pay(order, AMOUNT)).providerReference).not.toBe(arrival.providerReference);
  },

  'knows no transfer that nobody made': async (rig) => {
    const { order, arrival } = await paid(rig);
    const unknown = { ...questionOf(order, arrival), providerReference: `${arrival.providerReference}x` };
    expect(await rig.bank.find(unknown, never())).toEqual({ outcome: 'not_known' });
  },

  'lists each transfer once, as it tells of it': async (rig) => {
    const { order, arrival } = await paid(rig);
    const second = await rig.pay(order, AMOUNT);
    const found = (await listed(rig, order)).filter(({ account }) => account === order.reference);
    const byReference = (a: Arrival, b: Arrival) => a.providerReference.localeCompare(b.providerReference);
    expect(found.sort(byReference)).toEqual([arrival, second].sort(byReference));
  },

  'gives a transfer back once, and says so': async (rig) => {
    if (!rig.bank.giveBack) return;
    const { arrival, question } = await paid(rig);
    for (let i = 0; i < 2; i++) expect(await rig.bank.giveBack(question, never())).toEqual({ outcome: 'accepted' });
    const found = asConfirmResult(await rig.bank.find(question, never()), arrival.providerReference);
    expect(found).toMatchObject({ outcome: 'returned', amount: (found as ConfirmedArrival).amount });
    expect((found as ConfirmedArrival).amount).toBe(AMOUNT);
  },

  'claims nothing after nonsense': async (rig) => {
    if (!rig.talkNonsense) return;
    const { order, arrival, question } = await paid(rig);
    rig.talkNonsense();
    const outcomes = [
      outcomeOf(await caught(rig.bank.open(order, never())), (value) => asOpenResult(value)),
      outcomeOf(await caught(rig.bank.find(question, never())), (value) =>
        asConfirmResult(value, arrival.providerReference),
      ),
      outcomeOf(
        await caught(rig.bank.list({ livemode: order.livemode, accountId: null, since: SINCE, cursor: null }, never())),
        asListResult,
      ),
    ];
    expect(outcomes).toEqual(['unknown', 'unknown', 'unknown']);
  },

  'knows its own callback, what it is about, and the same when it comes again': async (rig) => {
    const { arrival } = await paid(rig);
    for (let i = 0; i < 2; i++)
      expect(asArrivalCallback(await rig.bank.verify(rig.callback(arrival)))).toEqual({ outcome: 'genuine', arrival });
  },

  'knows its own callback about no account of ours': async (rig) => {
    if (!rig.otherCallback) return;
    expect(asArrivalCallback(await rig.bank.verify(rig.otherCallback()))).toEqual({ outcome: 'other' });
  },

  'asks once more when its token ends': async (rig) => {
    if (!rig.expireTokens) return;
    const { order, arrival, question } = await paid(rig);
    rig.expireTokens();
    expect(await rig.bank.find(question, never())).toMatchObject({ outcome: 'received' });
    rig.expireTokens();
    expect(await listed(rig, order)).toEqual([arrival]);
  },

  'takes no callback that was changed, or that nobody signed': async (rig) => {
    const { arrival } = await paid(rig);
    const { body, headers } = rig.callback(arrival);
    const signed = Object.entries(headers).filter(([name]) => name !== 'content-type');
    const withSignature = (change: (value: string) => string) =>
      Object.fromEntries(signed.map(([name, value]) => [name, change(value!)]));
    const forged = [
      { body: Buffer.concat([body, Buffer.from(' ')]), headers },
      { body: Buffer.alloc(0), headers },
      { body, headers: {} },
      { body, headers: withSignature((value) => value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')) },
      { body, headers: withSignature(() => 'é') },
    ];
    for (const one of forged) {
      const answer = await caught(Promise.resolve().then(() => rig.bank.verify(one)));
      expect(outcomeOf(answer, asArrivalCallback, 'forged')).toBe('forged');
    }
  },
} satisfies Record<string, BankRule>;

class Thrown {
  constructor(readonly error: unknown) {}
}

const caught = <T>(answer: Promise<T>): Promise<T | Thrown> => answer.catch((error: unknown) => new Thrown(error));

/** A bank that throws an error has answered `unknown`; a callback that it throws at is forged. */
function outcomeOf(answer: unknown, read: (value: unknown) => { outcome: string }, thrown = 'unknown'): string {
  if (!(answer instanceof Thrown)) return read(answer).outcome;
  expect(isNativeError(answer.error)).toBe(true);
  return thrown;
}

/** Every bank passes it, wherever it lives. `make` is called for each rule. */
export function virtualAccountContract(name: string, make: () => Promise<BankRig> | BankRig): void {
  describe(`the bank ${name}`, () => {
    it.each(Object.entries<BankRule>(BANK_RULES))('%s', async (_, rule) => {
      const rig = await make();
      try {
        await rule(rig);
      } finally {
        await rig.close?.();
      }
    });
  });
}
