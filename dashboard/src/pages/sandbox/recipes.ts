import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { SAMPLE_HOLDER } from '../cards/sample-holder';
import { issue } from './money-scenarios';
import { buyAirtime } from './purchases';

const api = publicApi('test');
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const NAIRA_MINOR = 250_000;
const DOLLARS_MINOR = 2_000;
const PHONE = '+2348031234567';
const BANK = { code: '058', account_number: '0234500001' };

/** What a step left, for the steps after it and for whoever looks. */
export interface Made {
  readonly id: string | null;
  readonly status: string;
  readonly needs_review?: boolean;
}

interface Step {
  readonly text: string;
  /** `made`: by the steps before, in order. The same key when it is sent again. */
  readonly run: (made: readonly Made[], key: string) => Promise<Made>;
}

/** A story of several steps, as it happens to programs over days. */
export interface Recipe {
  readonly title: string;
  readonly text: string;
  readonly steps: readonly Step[];
}

const idOf = (made: readonly Made[], at: number): string => made[at]?.id ?? '';
const header = (key: string) => ({ 'Idempotency-Key': key, Prefer: 'wait=1' });
const steered = (scenario: string) => ({ 'X-Sandbox-Scenario': scenario });

const advance = (text: string, seconds: number): Step => ({
  text,
  run: async (_, key) => {
    const params = { header: { 'Idempotency-Key': key } };
    const { now } = await bodyOf(api.POST('/v4/sandbox/clock/advance', { params, body: { seconds } }));
    return { id: null, status: now };
  },
});

/** The first step's transaction again. */
const lookAgain: Step = {
  text: 'Look at it again',
  run: (made) => bodyOf(api.GET('/v4/transactions/{id}', { params: { path: { id: idOf(made, 0) } } })),
};

const airtime = (scenario: string): Step => ({
  text: `Buy airtime with ${scenario}`,
  run: (_, key) => buyAirtime(PHONE, key, steered(scenario), NAIRA_MINOR / 10),
});

const askForPayment: Step = {
  text: 'Ask for a payment',
  run: (_, key) =>
    bodyOf(
      api.POST('/api/v1/payments', {
        params: { header: header(key) },
        body: { amount: NAIRA_MINOR, currency: 'NGN', description: 'Recipe' },
      }),
    ),
};

const pay = (text: string, status: Schemas['CompletePayment']['status']): Step => ({
  text,
  run: (made) =>
    bodyOf(
      api.POST('/v4/sandbox/payments/{id}/complete', { params: { path: { id: idOf(made, 0) } }, body: { status } }),
    ),
});

const simulate = (text: string, body: (made: readonly Made[]) => Schemas['SimulateCard']): Step => ({
  text,
  run: (made, key) =>
    bodyOf(
      api.POST('/v4/sandbox/cards/{id}/simulate', {
        params: { path: { id: idOf(made, 0) }, header: header(key) },
        body: body(made),
      }),
    ),
});

export const RECIPES: readonly Recipe[] = [
  {
    title: 'Airtime that is confirmed an hour later',
    text: 'The operator does not say at first: the money stays held, and nothing is a failure until it says so.',
    steps: [airtime('outcome=timeout; then=delivered; delay=1h'), advance('Pass an hour', HOUR_SECONDS), lookAgain],
  },
  {
    title: 'Airtime that fails an hour later',
    text: 'The operator refuses after all: what was held is back in the wallet.',
    steps: [airtime('outcome=timeout; then=failed; delay=1h'), advance('Pass an hour', HOUR_SECONDS), lookAgain],
  },
  {
    title: 'A payout that the bank returns',
    text: 'It arrived, and two days later the bank sends the money back: successful becomes reversed, once.',
    steps: [
      {
        text: 'Pay out',
        run: (_, key) =>
          bodyOf(
            api.POST('/v4/payouts', {
              params: { header: header(key) },
              headers: steered('outcome=delivered; then=reversed; delay=48h; callback=once'),
              body: { amount: NAIRA_MINOR / 10, bank: BANK, allow_duplicate: true },
            }),
          ),
      },
      advance('Pass three days', 3 * DAY_SECONDS),
      lookAgain,
    ],
  },
  {
    title: 'A payment that is given back',
    text: 'A payer pays, and half of it is refunded.',
    steps: [
      askForPayment,
      pay('The payer pays', 'successful'),
      {
        text: 'Refund half of it',
        run: (made, key) =>
          bodyOf(
            api.POST('/api/v1/payments/{id}/refunds', {
              params: { path: { id: idOf(made, 0) }, header: header(key) },
              body: { amount: NAIRA_MINOR / 2 },
            }),
          ),
      },
    ],
  },
  {
    title: 'A payment of which too little arrives',
    text: 'Nothing is credited by itself: a person must look at it, and the event says so.',
    steps: [askForPayment, pay('The payer pays too little', 'underpaid')],
  },
  {
    title: 'A card, from its issue to a dispute',
    text: 'Issued from your newest USD wallet, used at a shop, cleared, and disputed.',
    steps: [
      { text: 'Issue a card', run: (_, key) => issue(SAMPLE_HOLDER.last_name, key, DOLLARS_MINOR) },
      simulate('Authorize USD 5.00 at a shop', () => ({
        kind: 'authorization',
        amount: 500,
        merchant: { name: 'Corner Shop', mcc: '5411', country: 'NG' },
      })),
      simulate('Clear it', (made) => ({ kind: 'clearing', card_transaction_id: idOf(made, 1) })),
      {
        text: 'Dispute it: it never came',
        run: (made, key) =>
          bodyOf(
            api.POST('/v4/card-transactions/{id}/disputes', {
              params: { path: { id: idOf(made, 1) }, header: header(key) },
              body: { reason: 'not_received', evidence: { text: 'It never came.' } },
            }),
          ),
      },
    ],
  },
];
