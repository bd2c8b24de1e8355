import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay, useMayWriteKeys } from '../../session/use-may';
import { Loading } from '../../ui/data-table';
import { AnchorLink, ButtonLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useMode } from '../../ui/use-mode';
import { Checklist } from './checklist';
import { SendTestMoney } from './send-test-money';

const DaysChart = lazy(() => import('./days-chart'));

export function HomePage() {
  const mode = useMode();
  const { hasScope } = useMay();
  const mayWriteKeys = useMayWriteKeys();
  const overview = useQuery({
    queryKey: [mode, 'overview'],
    queryFn: () => bodyOf(dashboardApi.GET('/overview', { params: { query: { livemode: mode === 'live' } } })),
  });
  return (
    <>
      <PageHead title="Home">
        {mode === 'test' && hasScope('wallets:write') && hasScope('sandbox:write') && <SendTestMoney />}
        {mayWriteKeys && (
          <ButtonLink to="/$mode/keys" params={{ mode }} variant="default">
            Get an API key
          </ButtonLink>
        )}
      </PageHead>
      <ProblemAlert error={overview.error} />
      {overview.isPending && <Loading label="overview" />}
      {overview.data && <Shown overview={overview.data} />}
    </>
  );
}

function Shown({ overview }: { overview: DashboardSchemas['Overview'] }) {
  return (
    <Stack gap="lg">
      <section aria-label="Balances">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          {overview.wallets.map((wallet) => (
            <Balance key={wallet.id} wallet={wallet} />
          ))}
          <Card withBorder>
            <Text size="sm" c="dimmed">
              Successful, of what ended in 30 days
            </Text>
            <span className="balance">
              {overview.success_rate === null ? '–' : `${(overview.success_rate * 100).toFixed(1)} %`}
            </span>
          </Card>
        </SimpleGrid>
      </section>
      <section aria-labelledby="days-title">
        <Title order={2} size="h4" id="days-title" mb="xs">
          The last 30 days
        </Title>
        <Suspense fallback={<Loading label="chart" />}>
          <DaysChart days={overview.days} />
        </Suspense>
      </section>
      <Checklist done={overview.checklist} />
    </Stack>
  );
}

function Balance({
  wallet: { id, currency, label, available_display, held, held_display },
}: {
  wallet: DashboardSchemas['OverviewWallet'];
}) {
  const mode = useMode();
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {label ?? `${currency} wallet`}
        </Text>
        <AnchorLink
          size="sm"
          to="/$mode/wallets/$id"
          params={{ mode, id }}
          aria-label={`Statement of ${label ?? `the ${currency} wallet`}`}
        >
          Statement
        </AnchorLink>
      </Group>
      <span className="balance">{available_display}</span>
      {held > 0 && <Text size="sm">{held_display} held</Text>}
    </Card>
  );
}
