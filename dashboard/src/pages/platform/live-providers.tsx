import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useOperators } from '../../session/cells';
import { DataTable, Loading } from '../../ui/data-table';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { Ago } from '../../ui/when';
import { Section } from './section';

type LiveProvider = DashboardSchemas['LiveProvider'];
type LiveFloat = DashboardSchemas['LiveFloat'];

/** Those who carry things out in live mode, or would with their settings, and our money there. */
export function LiveProviders() {
  const operators = useOperators();
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'live', 'providers'],
    queryFn: () => bodyOf(operators.api.GET('/operators/live/providers')),
  });
  return (
    <Section title="Live providers">
      <Stack>
        <ProblemAlert error={error} />
        {isPending && <Loading label="providers" />}
        {data && <ProviderTable providers={data.data} />}
        {data && (
          <Title order={3} size="h5">
            Our money there
          </Title>
        )}
        {data && <FloatTable floats={floatsOf(data.data)} />}
      </Stack>
    </Section>
  );
}

function ProviderTable({ providers }: { providers: readonly LiveProvider[] }) {
  return (
    <DataTable
      caption="Live providers"
      rows={presentFirst(providers)}
      keyOf={({ product, name }) => `${product} ${name}`}
      empty="This build has no live provider."
      columns={[
        { title: 'Product', cell: ({ product }) => product.replaceAll('_', ' ') },
        { title: 'Provider', cell: ({ name }) => name },
        { title: 'State', cell: ({ registered }) => <StatusBadge status={registered ? 'registered' : 'not there'} /> },
        { title: 'Missing settings', cell: (provider) => <Missing provider={provider} /> },
        { title: 'Asked for', cell: ({ networks }) => networks.map(networkText).join(', ') || 'no route' },
      ]}
    />
  );
}

const presentFirst = (providers: readonly LiveProvider[]): readonly LiveProvider[] => [
  ...providers.filter(({ registered }) => registered),
  ...providers.filter(({ registered }) => !registered),
];

const networkText = (network: string): string => (network === '*' ? 'any network' : network);

function Missing({ provider: { registered, missing_settings: missing } }: { provider: LiveProvider }) {
  if (registered) return '–';
  if (missing.length === 0) return 'none: start the service again';
  return <code>{missing.join(', ')}</code>;
}

interface NamedFloat extends LiveFloat {
  readonly provider: string;
}

/** Each once: whoever sells several products has one of a currency. */
function floatsOf(providers: readonly LiveProvider[]): readonly NamedFloat[] {
  const floats = providers.flatMap(({ name, floats: own }) => own.map((float) => ({ ...float, provider: name })));
  return [...new Map(floats.map((float) => [keyOf(float), float])).values()];
}

const keyOf = ({ provider, currency }: NamedFloat): string => `${provider} ${currency}`;

function FloatTable({ floats }: { floats: readonly NamedFloat[] }) {
  return (
    <DataTable
      caption="Our money there"
      rows={floats}
      keyOf={keyOf}
      empty="No live provider has told of our money there, and none has a floor."
      columns={[
        { title: 'Provider', cell: ({ provider }) => provider },
        {
          title: 'Balance told',
          cell: ({ balance, currency }) => (balance === null ? 'not told' : <Money minor={balance} of={currency} />),
          numeric: true,
        },
        { title: 'Told', cell: ({ told_at }) => <Ago at={told_at} /> },
        {
          title: 'In the books',
          cell: ({ in_books_display }) => <span className="amount">{in_books_display}</span>,
          numeric: true,
        },
        {
          title: 'Floor',
          cell: ({ floor, currency }) => (floor === null ? 'none' : <Money minor={floor} of={currency} />),
          numeric: true,
        },
        { title: 'State', cell: ({ low, floor, balance }) => <StatusBadge status={stateOf(low, floor, balance)} /> },
      ]}
    />
  );
}

/** On one line, whatever the width. */
function Money({ minor, of }: { minor: number; of: string }) {
  return <span className="amount">{moneyText(minor, of)}</span>;
}

function stateOf(isLow: boolean, floor: number | null, balance: number | null): string {
  if (floor === null || balance === null) return 'not known';
  return isLow ? 'low' : 'enough';
}
