import { randomUUID } from 'node:crypto';
import { decodeId, newId } from '../src/core/http/ids';
import { Approvals } from '../src/modules/transactions/approvals';
import { Registry } from '../src/providers/registry';
import type { RoutedProduct } from '../src/vocabulary/products';
import { cardholder } from './support/cardholder';
import { Duka, type TestAccount } from './support/duka';
import { Payer } from './support/payer';
import { until } from './support/recurring-probe';

// `pending`: nobody outside was asked yet. `processing`: somebody is asked, and the books know whom.

const MONEY = 5_000_000;
const PHONE = '+2348031234567';
const BANK = { code: '058', account_number: '0123456789' };
const METER = { biller_code: 'ikeja-electric', customer_identifier: '1111111111111', service_type: 'prepaid' };

let duka: Duka;
let account: TestAccount;
let wallet: string;

beforeAll(async () => {
  duka = await Duka.start();
});
afterAll(() => duka.stop());
beforeEach(async () => {
  account = await duka.account();
  wallet = (await account.api.get('/v4/wallets')).body.data[0].id;
});
afterEach(() => jest.restoreAllMocks());

/** A transaction as everybody can read it: what is not committed is not there. */
interface Stand {
  readonly status: string;
  readonly provider: string | null;
  /** Rows of attempts, by the provider that each is for. */
  readonly attempts: readonly string[];
}

async function standing(type: string): Promise<Stand> {
  const rows = await duka.asOwner(
    `SELECT t.status, t.provider_name AS provider,
            array(SELECT a.provider FROM purchase_attempts a
                   WHERE a.account_id = t.account_id AND a.livemode = t.livemode AND a.purchase_id = t.id
                   ORDER BY a.number) AS attempts
       FROM transactions t WHERE t.account_id = $1 AND t.type = $2`,
    [decodeId('acct', account.id), type],
  );
  expect(rows).toHaveLength(1);
  return rows[0] as unknown as Stand;
}

type Ask = (...asked: unknown[]) => Promise<unknown>;

/** What `look` finds each time that the provider is asked, before it answers; `answer`: instead of its own. */
function watch<T>(
  [product, name, call]: readonly [RoutedProduct, string, string],
  look: () => Promise<T>,
  answer?: object,
): T[] {
  const adapter = duka.get<Registry>(Registry).find<Record<string, Ask>>(product, name)!.adapter;
  const seen: T[] = [];
  const own = adapter[call]!.bind(adapter);
  jest.spyOn(adapter, call).mockImplementation(async (...asked: unknown[]) => {
    seen.push(await look());
    return answer ?? own(...asked);
  });
  return seen;
}

const ELSEWHERE = {
  outcome: 'not_delivered',
  about: 'order',
  code: 'operator_unavailable',
  message: 'Not now.',
  recovery: 'retry_later',
  retryElsewhere: true,
};

const waiting = (): object => ({
  wallet_id: wallet,
  on_insufficient_funds: 'queue',
  deliver_by: new Date(Date.now() + 3_600_000).toISOString(),
});
const fund = (): Promise<void> => account.api.credit(wallet, MONEY);
const post = (path: string, body: object) => account.api.post(path, body, { key: randomUUID() });

/** What each product is asked for with, by the type of its transactions. */
const SOLD: Record<
  string,
  { product: RoutedProduct; order: (more: object) => Promise<{ status: number; body: any }> }
> = {
  airtime_purchase: {
    product: 'airtime',
    order: (more) => post('/v4/airtime/purchase', { phone: PHONE, amount: 10_000, ...more }),
  },
  data_purchase: {
    product: 'data',
    order: (more) => post('/v4/data/purchase', { phone: PHONE, plan_code: 'mtn-sme-1gb-1m', ...more }),
  },
  bill_payment: {
    product: 'bills',
    order: async (more) => {
      const { id } = (await account.api.post('/v4/bills/validate', METER)).body;
      return post('/v4/bills/pay', { ...METER, amount: 500_000, validation_id: id, ...more });
    },
  },
  payout: {
    product: 'payout',
    order: (more) => post('/v4/payouts', { wallet_id: wallet, amount: 200_000, bank: BANK, ...more }),
  },
};

describe.each(Object.keys(SOLD))('a purchase: %s', (type) => {
  const { product, order } = SOLD[type]!;
  const asking = { status: 'processing', provider: 'sandbox', attempts: ['sandbox'] };

  it('is processing, with its attempt, when the provider hears of it', async () => {
    await fund();
    const seen = watch([product, 'sandbox', 'purchase'], () => standing(type));
    expect((await order({})).status).toBe(201);
    expect(seen).toEqual([asking]);
  });

  it('has the attempt of the next provider, too, when that one hears of it', async () => {
    await fund();
    const first = watch([product, 'sandbox', 'purchase'], () => standing(type), ELSEWHERE);
    const second = watch([product, 'sandbox_backup', 'purchase'], () => standing(type));
    expect((await order({})).status).toBe(201);
    expect([first, second]).toEqual([
      [asking],
      [{ status: 'processing', provider: 'sandbox_backup', attempts: ['sandbox', 'sandbox_backup'] }],
    ]);
  });

  it('is not written down when nobody may be asked', async () => {
    const seen = watch([product, 'sandbox', 'purchase'], () => standing(type));
    expect((await order({})).status).toBe(402);
    expect([seen, (await account.api.get(`/v4/transactions?type=${type}`)).body.data]).toEqual([[], []]);
  });

  if (type !== 'payout')
    it('that waits for money is pending, and nobody was asked, until the money is there', async () => {
      const seen = watch([product, 'sandbox', 'purchase'], () => standing(type));
      const { status, body } = await order(waiting());
      expect([status, body.status]).toEqual([202, 'pending']);
      await account.api.credit(wallet, 1);
      expect([await standing(type), seen]).toEqual([{ status: 'pending', provider: null, attempts: [] }, []]);
      await fund();
      await until(() => seen.length > 0, 10);
      expect(seen).toEqual([asking]);
      await until(async () => (await standing(type)).status === 'successful', 10);
    });

  if (type !== 'payout')
    it('that is cancelled while it waits was never asked for', async () => {
      const seen = watch([product, 'sandbox', 'purchase'], () => standing(type));
      const { body } = await order(waiting());
      expect((await account.api.post(`/v4/transactions/${body.id}/cancel`)).body.status).toBe('cancelled');
      await fund();
      expect([seen, await standing(type)]).toEqual([[], { status: 'cancelled', provider: null, attempts: [] }]);
    });
});

describe.each(['approved', 'declined'] as const)('a payout that a second person %s', (decision) => {
  it('is pending until then', async () => {
    const accountId = decodeId('acct', account.id)!;
    await duka.asOwner(
      `INSERT INTO payout_rules (account_id, livemode, currency, approval_above) VALUES ($1, false, 'NGN', 100000)`,
      [accountId],
    );
    await fund();
    const seen = watch(['payout', 'sandbox', 'purchase'], () => standing('payout'));
    const { status, body } = await SOLD.payout!.order({});
    expect([status, body.status]).toEqual([202, 'pending']);
    expect([await standing('payout'), seen]).toMatchObject([{ status: 'pending', attempts: [] }, []]);
    const verdict = { decision, decidedBy: newId(), writes: [] };
    await duka.get<Approvals>(Approvals).decide({ accountId, livemode: false }, body.id, verdict);
    if (decision === 'approved') await until(() => seen.length > 0, 10);
    expect(seen).toEqual(
      decision === 'approved' ? [{ status: 'processing', provider: 'sandbox', attempts: ['sandbox'] }] : [],
    );
    const end = decision === 'approved' ? 'successful' : 'cancelled';
    await until(async () => (await standing('payout')).status === end, 10);
  });
});

describe('a card', () => {
  it('is pending as long as it is not issued, and what it costs is processing when the issuer hears of it', async () => {
    const look = async () => {
      const { status, provider } = await standing('card_issue');
      const cards = await duka.asOwner('SELECT status, issuer FROM cards WHERE account_id = $1', [
        decodeId('acct', account.id),
      ]);
      return { status, provider, cards };
    };
    const seen = watch(['cards', 'sandbox', 'issue'], look);
    const usd = await account.api.wallet(100_000, 'USD');
    const { status } = await post('/v4/cards/issue', {
      customer: cardholder(),
      currency: 'USD',
      amount: 5_000,
      funding_wallet_id: usd,
    });
    expect(status).toBe(201);
    expect(seen).toEqual([
      { status: 'processing', provider: 'sandbox', cards: [{ status: 'pending', issuer: 'sandbox' }] },
    ]);
    expect((await look()).status).toBe('successful');
  });
});

describe('a payment', () => {
  it('names its gateway before that hears of it, and is pending until the payer has acted there', async () => {
    const payer = await Payer.of(duka);
    const payment = await payer.asked();
    const look = async () => {
      const [row] = await duka.asOwner('SELECT status, gateway FROM payments WHERE id = $1', [
        payer.keyOf(payment.id).id,
      ]);
      return row;
    };
    const started = watch(['payment', 'sandbox_card', 'start'], look);
    expect([await look(), started]).toEqual([{ status: 'pending', gateway: null }, []]);
    await payer.start(payment);
    expect(started).toEqual([{ status: 'pending', gateway: 'sandbox_card' }]);
    await payer.decide(payment.id, 'processing');
    await payer.call(payer.signed(payment.id, 'processing'));
    expect(await look()).toEqual({ status: 'processing', gateway: 'sandbox_card' });
  });
});
