import { createHmac, timingSafeEqual } from 'node:crypto';
import { newId } from '../../src/core/http/ids';
import type { CallbackRequest } from '../../src/providers/answers';
import type {
  AccountOrder,
  Arrival,
  ConfirmedArrival,
  VirtualAccountProvider,
} from '../../src/modules/virtual-accounts/virtual-accounts.provider';
import { BANK_RULES, type BankRig, virtualAccountContract } from './virtual-account-rules';

const sign = (body: Buffer): Buffer => createHmac('sha256', 'secret').update(body).digest();

/** The other side, without a network between. */
class Side {
  readonly accounts = new Map<string, string>();
  readonly transfers = new Map<string, Omit<ConfirmedArrival, 'outcome'> & { isBack: boolean }>();
  isMad = false;
  /** A bank that forgot to sign in again hears of nothing. */
  isSignedIn = true;
}

const FEE = 5n;

const bodyOf = ({ amount, ...rest }: Arrival): Buffer => Buffer.from(JSON.stringify({ ...rest, amount: `${amount}` }));

/** Passes the whole contract. */
function rightBank(side: Side): VirtualAccountProvider & Required<Pick<VirtualAccountProvider, 'giveBack'>> {
  return {
    open: async ({ reference }) => {
      if (side.isMad) return { outcome: 'unknown', code: 'nonsense' };
      const id = side.accounts.get(reference) ?? newId();
      side.accounts.set(reference, id);
      const bank = { code: null, name: 'Bank' };
      return { outcome: 'opened', providerReference: id, bank, accountNumber: '0123456789', accountName: 'Duka' };
    },
    close: async () => ({ outcome: 'closed' }),
    find: async ({ providerReference }) => {
      if (side.isMad) return { outcome: 'unknown', code: 'nonsense' };
      const found = side.transfers.get(providerReference);
      if (found === undefined) return { outcome: 'not_known' };
      const { isBack, ...transfer } = found;
      return { outcome: isBack ? 'returned' : 'received', ...transfer, fee: FEE };
    },
    list: async ({ cursor }) => {
      if (side.isMad) return { outcome: 'unknown', code: 'nonsense' };
      const [first, ...more] = [...side.transfers.values()].slice(Number(cursor ?? 0)).map(plain);
      const next = more.length > 0 ? `${Number(cursor ?? 0) + 1}` : null;
      return { outcome: 'listed', arrivals: first ? [first] : [], next };
    },
    giveBack: async ({ providerReference }) => {
      side.transfers.get(providerReference)!.isBack = true;
      return { outcome: 'accepted' };
    },
    verify: ({ body, headers: { signature = '' } }) => {
      const given = Buffer.from(signature, 'hex');
      if (given.length !== 32 || !timingSafeEqual(given, sign(body))) return { outcome: 'forged' };
      if (body.length === 0) return { outcome: 'other' };
      const { amount, ...rest } = JSON.parse(body.toString()) as Record<string, string>;
      return { outcome: 'genuine', arrival: { ...rest, amount: BigInt(amount!) } as unknown as Arrival };
    },
  };
}

const plain = ({ providerReference, account, amount, currency }: Arrival): Arrival => ({
  providerReference,
  account,
  amount,
  currency,
});

const signed = (body: Buffer): CallbackRequest => ({
  body,
  headers: { 'content-type': 'application/json', signature: sign(body).toString('hex') },
});

type Make = (right: ReturnType<typeof rightBank>, side: Side) => Partial<VirtualAccountProvider>;

function rigOf(change: Make = () => ({})): BankRig {
  const side = new Side();
  const right = rightBank(side);
  return {
    bank: { ...right, ...change(right, side) },
    order: (): AccountOrder => ({
      reference: newId(),
      accountId: newId(),
      livemode: false,
      kind: 'permanent',
      currency: 'NGN',
      amount: null,
      label: null,
      expiresAt: null,
    }),
    pay: async ({ reference, currency }, amount) => {
      const arrival = { providerReference: newId(), account: reference, amount, currency };
      const payer = { name: 'ADA OBI', bank: null, accountNumber: null };
      side.transfers.set(arrival.providerReference, {
        ...arrival,
        payer,
        sessionId: null,
        arrivedAt: new Date(),
        isBack: false,
      });
      return arrival;
    },
    kept: () => FEE,
    callback: (arrival) => signed(bodyOf(arrival)),
    otherCallback: () => signed(Buffer.alloc(0)),
    expireTokens: () => (side.isSignedIn = false),
    talkNonsense: () => (side.isMad = true),
  };
}

virtualAccountContract('that keeps to all of it', () => rigOf());

/** For each rule a bank that breaks it. */
const BROKEN: Partial<Record<keyof typeof BANK_RULES, Make>> = {
  'gives an account a number that payers can use': (right) => ({
    open: async (...asked) => ({ ...(await right.open(...asked)), accountNumber: 'soon' }) as never,
  }),
  'opens one account for one reference, and says the same each time': (right) => ({
    open: async (...asked) => ({ ...(await right.open(...asked)), providerReference: newId() }) as never,
  }),
  'closes an account, and again': () => ({ close: async () => ({ outcome: 'unknown', code: 'closed_before' }) }),
  'says what arrived, where, and from whom, and the same each time': (right) => ({
    find: async (...asked) => ({ ...(await right.find(...asked)), amount: 5_025 }) as never,
  }),
  'says what it keeps of what arrived': (right) => ({
    find: async (...asked) => ({ ...(await right.find(...asked)), fee: undefined }) as never,
  }),
  'knows no transfer that nobody made': (_, side) => ({
    find: async ({ providerReference: asked }) => {
      const { isBack, ...any } = [...side.transfers.values()][0]!;
      return { outcome: isBack ? 'returned' : 'received', ...any, providerReference: asked };
    },
  }),
  'lists each transfer once, as it tells of it': (right) => ({
    list: async (question, signal) => ({ ...(await right.list(question, signal)), next: null }) as never,
  }),
  'gives a transfer back once, and says so': () => ({ giveBack: async () => ({ outcome: 'accepted' }) }),
  'claims nothing after nonsense': (right, side) => ({
    find: (...asked) => {
      side.isMad = false;
      return right.find(...asked);
    },
  }),
  'knows its own callback, what it is about, and the same when it comes again': (right) => {
    let isSecond = false;
    return {
      verify: (callback) => {
        if (isSecond) return { outcome: 'other' };
        isSecond = true;
        return right.verify(callback);
      },
    };
  },
  'knows its own callback about no account of ours': () => ({ verify: () => ({ outcome: 'forged' }) }),
  'asks once more when its token ends': (right, side) => ({
    find: async (...asked) => (side.isSignedIn ? right.find(...asked) : { outcome: 'not_known' }),
  }),
  'takes no callback that was changed, or that nobody signed': (right) => ({
    verify: ({ body, headers }) =>
      headers.signature === undefined
        ? { outcome: 'forged' }
        : right.verify({ body, headers: { signature: sign(body).toString('hex') } }),
  }),
};

it.each(Object.entries(BROKEN))('a bank that breaks "%s" is noticed', async (name, make) => {
  const rule = BANK_RULES[name as keyof typeof BANK_RULES];
  await expect(rule(rigOf(make))).rejects.toThrow(/expect\(|the list is/);
});

it('each rule has a bank that breaks it, but for what the test itself pays', () => {
  const left = Object.keys(BANK_RULES).filter((name) => !(name in BROKEN));
  expect(left).toEqual(['tells two transfers of one amount apart']);
});
