import { Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/public-api';
import { useOperators } from '../../session/cells';
import { Loading } from '../../ui/data-table';
import { useFilters } from '../../ui/use-filters';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { OutcomeTable } from './outcome-table';
import { providerRows, type Providers } from './provider-rows';
import { ProviderTable } from './provider-table';

const REFRESH_MS = 10_000;
const HOUR = '60';
const PERIODS = [
  { minutes: '5', label: '5 minutes' },
  { minutes: HOUR, label: 'Hour' },
  { minutes: '1440', label: 'Day' },
] as const;

/** How those are doing who carry things out for all accounts, and whether they are asked. */
export function ProvidersPage() {
  const operators = useOperators();
  const { minutes: word } = useFilters();
  const { minutes } = PERIODS.find((period) => period.minutes === word) ?? { minutes: HOUR };
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'providers', minutes],
    queryFn: () => bodyOf(operators.api.GET('/operators/providers', { params: { query: { minutes } } })),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title="Providers">
        <PeriodChoice current={minutes} />
      </PageHead>
      <Stack gap="lg">
        <ProblemAlert error={error} />
        {isPending && <Loading label="providers" />}
        {data && <ModeProviders title="Live" providers={data} livemode />}
        {data && <ModeProviders title="Test" providers={data} livemode={false} />}
      </Stack>
    </>
  );
}

function PeriodChoice({ current }: { current: string }) {
  return (
    <nav className="segments" aria-label="Calls of the last">
      {PERIODS.map(({ minutes, label }) => (
        <AnchorLink
          key={minutes}
          to="."
          search={{ minutes } as never}
          aria-current={minutes === current ? 'true' : undefined}
          underline="never"
        >
          {label}
        </AnchorLink>
      ))}
    </nav>
  );
}

function ModeProviders({ title, providers, livemode }: { title: string; providers: Providers; livemode: boolean }) {
  const rows = providerRows(providers, livemode);
  const id = `providers-${title}`;
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb="xs">
        {title}
      </Title>
      {rows.length === 0 ? (
        <Text c="dimmed">Nobody is asked in this mode yet.</Text>
      ) : (
        <ProviderTable caption={`Providers, ${title}`} rows={rows} routes={providers.routes} livemode={livemode} />
      )}
      <OutcomeTable caption={`Outcomes, ${title}`} rows={rows} />
    </section>
  );
}
