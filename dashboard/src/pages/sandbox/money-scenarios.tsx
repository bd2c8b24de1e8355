import { Code } from '@mantine/core';
import { NotSent } from '../../api/problem';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { SAMPLE_HOLDER } from '../cards/sample-holder';
import { DataTable } from '../../ui/data-table';
import { Part } from './part';
import { RunScenario } from './run-scenario';

const api = publicApi('test');
const PAID_MINOR = 500_000;
const LOAD_MINOR = 100;

/** What a payer can make happen at a gateway. */
export function PaymentScenarios({ outcomes }: { outcomes: readonly Schemas['PaymentScenario'][] }) {
  return (
    <Part
      isEmpty={outcomes.length === 0}
      title="Payments"
      text="What the gateway says of a payment, here or on its checkout page."
    >
      <DataTable
        caption="Outcomes of payments"
        rows={outcomes}
        keyOf={({ outcome }) => outcome}
        columns={[
          { place: 'what', title: 'Outcome', cell: ({ outcome }) => <Code>{outcome}</Code> },
          { place: 'who', title: 'What happens', cell: ({ description }) => description },
          {
            title: 'Ends',
            cell: ({ final }) => (final.needs_review ? `${final.status}, for a person to look at` : final.status),
          },
          {
            title: 'Try',
            place: 'amount',
            cell: ({ outcome }) => <RunScenario label={`payment ${outcome}`} run={(key) => pay(outcome, key)} />,
          },
        ]}
      />
    </Part>
  );
}

/** What the issuer of cards does, by the last name of the holder. */
export function IssuerScenarios({ cardholders }: { cardholders: readonly Schemas['CardholderScenario'][] }) {
  return (
    <Part
      isEmpty={cardholders.length === 0}
      title="Cardholders"
      text="Last names that decide what the issuer does. Loaded from your newest USD wallet."
    >
      <DataTable
        caption="Last names with a meaning"
        rows={cardholders}
        keyOf={({ last_name }) => last_name}
        columns={[
          { place: 'what', title: 'Last name', cell: ({ last_name }) => <Code>{last_name}</Code> },
          { place: 'who', title: 'What happens', cell: ({ description }) => description },
          { title: 'Ends', cell: ({ status, failure_code }) => [status, failure_code].filter(Boolean).join(': ') },
          {
            title: 'Try',
            place: 'amount',
            cell: ({ last_name }) => (
              <RunScenario label={`cardholder ${last_name}`} run={(key) => issue(last_name, key)} />
            ),
          },
        ]}
      />
    </Part>
  );
}

async function pay(outcome: string, key: string) {
  const { id } = await bodyOf(
    api.POST('/api/v1/payments', {
      params: { header: { 'Idempotency-Key': key } },
      body: { amount: PAID_MINOR, currency: 'NGN', description: `Scenario ${outcome}` },
    }),
  );
  const status = outcome as Schemas['CompletePayment']['status'];
  return bodyOf(
    api.POST('/v4/sandbox/payments/{id}/complete', { params: { path: { id: id ?? '' } }, body: { status } }),
  );
}

/** From the newest USD wallet. */
export async function issue(lastName: string, key: string, amount = LOAD_MINOR) {
  const query = { currency: 'USD', status: 'active', limit: 1 } as const;
  const [wallet] = (await bodyOf(api.GET('/v4/wallets', { params: { query } }))).data;
  if (!wallet) throw new NotSent('Open a USD wallet under Wallets, and credit it, first.');
  const customer = { ...SAMPLE_HOLDER, last_name: lastName };
  return bodyOf(
    api.POST('/v4/cards/issue', {
      params: { header: { 'Idempotency-Key': key, Prefer: 'wait=1' } },
      body: { customer, currency: 'USD', amount, funding_wallet_id: wallet.id },
    }),
  );
}
