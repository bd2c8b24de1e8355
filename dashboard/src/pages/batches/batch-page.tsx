import { Alert, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { Loading } from '../../ui/data-table';
import { DownloadCsv } from '../../ui/download-csv';
import { Facts } from '../../ui/facts';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { IdLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useApi } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { BatchItems } from './batch-items';
import { type Batch, BatchProgress, isWorkedOn, Shortfalls, useBatch } from './batch-parts';

const STATUSES = [
  'pending',
  'valid',
  'invalid',
  'processing',
  'successful',
  'failed',
  'cancelled',
] as const satisfies readonly Schemas['BatchItem']['status'][];

const FILTERS: readonly FilterField[] = [{ name: 'status', label: 'Rows', options: STATUSES, several: true }];

export function BatchPage() {
  const { id = '' } = useParams({ strict: false });
  const { status } = useFilters();
  const { data: batch, error } = useBatch(id);
  if (error) return <ProblemAlert error={error} />;
  if (!batch) return <Loading label="batch" />;
  return (
    <Stack>
      <PageHead title={batch.dry_run ? `Check of a batch: ${batch.kind}` : `Batch: ${batch.kind}`}>
        <Controls id={id} batch={batch} />
        <DownloadCsv path={`/v4/batches/${id}/items`} filters={{ status }} />
      </PageHead>
      <BatchProgress batch={batch} />
      {batch.failure && (
        <Alert variant="outline" color="red" title={batch.failure.detail}>
          <code>{batch.failure.code}</code> {batch.failure.param && <code>{batch.failure.param}</code>}
        </Alert>
      )}
      <Shortfalls batch={batch} />
      <Facts items={factsOf(batch)} />
      <FilterBar fields={FILTERS} />
      <BatchItems id={id} title="Rows" status={status} running={isWorkedOn(batch)} />
    </Stack>
  );
}

const ON_ERROR = {
  continue: 'the others go on',
  stop: 'none is begun after it',
  all_or_nothing: 'nothing happens at all',
};

function factsOf(batch: Batch) {
  const { currency, totals } = batch;
  const money = (minor: number) => (currency === null ? null : moneyText(minor, currency));
  return [
    ['Id', <IdLink key="id" id={batch.id} />],
    ['Status', <StatusBadge key="status" status={batch.status} />],
    ['Amount', money(totals.amount)],
    ['Fees', money(totals.fee)],
    ['Total', money(totals.total)],
    ['Wallet', <IdLink key="wallet" id={batch.wallet_id} />],
    ['When a row fails', ON_ERROR[batch.on_error]],
    ['Rows that are not valid', batch.skip_invalid ? 'are left out' : 'stop all of it'],
    ['Begins', batch.start_at && <When key="start" at={batch.start_at} />],
    ['Reference', batch.reference],
    ['Created', <When key="created" at={batch.created_at} />],
    ['Ended', <When key="ended" at={batch.completed_at} />],
  ] as const;
}

function Controls({ id, batch: { status, dry_run: isDry } }: { id: string; batch: Batch }) {
  const api = useApi();
  const { hasScope } = useMay();
  const path = { params: { path: { id } } };
  if (!hasScope('batches:write') || isDry) return null;
  const runs = status === 'running' || status === 'scheduled' || status === 'validating';
  return (
    <>
      {runs && (
        <ConfirmButton
          label="Pause"
          question="Pause this batch?"
          explanation="Rows that were begun go on to their end, no other begins until it is resumed."
          done="Paused."
          work={() => api.POST('/v4/batches/{id}/pause', path)}
        />
      )}
      {status === 'paused' && (
        <ConfirmButton
          label="Resume"
          question="Go on with this batch?"
          explanation="Its rows that were not begun begin."
          done="It goes on."
          work={() => api.POST('/v4/batches/{id}/resume', path)}
        />
      )}
      {(runs || status === 'paused') && (
        <ConfirmButton
          label="Cancel it"
          question="Cancel this batch?"
          explanation="Rows that were begun go on to their end, no other ever begins."
          done="Cancelled."
          work={() => api.POST('/v4/batches/{id}/cancel', path)}
        />
      )}
    </>
  );
}
