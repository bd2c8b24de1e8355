import '../../styles/story.css';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { Loading } from '../../ui/data-table';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { TransactionSecrets } from '../transactions/transaction-secrets';

/** A receipt to print: black on white, without the page around it. Tokens are on it once they are revealed. */
export function ReceiptPage() {
  const { id = '' } = useParams({ strict: false });
  const mode = useMode();
  const livemode = useLivemode();
  const { data, error } = useQuery({
    queryKey: [mode, 'receipt', id],
    queryFn: () => bodyOf(dashboardApi.GET('/receipts/{id}', { params: { path: { id }, query: { livemode } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="receipt" />;
  return (
    <Stack>
      <div className="no-print">
        <PageHead title="Receipt">
          <Button variant="default" onClick={() => window.print()}>
            Print
          </Button>
          <Button
            component="a"
            variant="default"
            href={`/dashboard/api/receipts/${id}/pdf?livemode=${livemode}`}
            download
          >
            Download PDF
          </Button>
        </PageHead>
      </div>
      <article className="receipt" aria-label="Receipt">
        <Text fw={700} size="xl">
          {data.account}
        </Text>
        <Text>{data.title}</Text>
        {!data.livemode && <Text size="sm">Test mode: no real money.</Text>}
        <dl>
          {data.lines.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {data.has_secrets && <TransactionSecrets id={id} />}
      </article>
    </Stack>
  );
}
