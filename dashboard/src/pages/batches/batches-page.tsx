import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { type Column, PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { AnchorLink, ButtonLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { useApi, useMode } from '../../ui/use-mode';
import { asLongAs, usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { type Batch, countOf, isWorkedOn, KINDS } from './batch-parts';

const STATUSES = [
  'validating',
  'scheduled',
  'running',
  'paused',
  'completed',
  'invalid',
  'failed',
  'cancelled',
] as const satisfies readonly Schemas['Batch']['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES, several: true },
  { name: 'kind', label: 'Kind', options: KINDS },
  { name: 'reference', label: 'Reference', whole: true },
];

const ASKED_AGAIN_MS = 5_000;

const COLUMNS: readonly Column<Batch>[] = [
  { title: 'Batch', cell: (batch) => <What batch={batch} />, place: 'what' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, place: 'state' },
  { title: 'Rows', cell: ({ counts }) => `${counts.successful} of ${countOf(counts)} successful`, place: 'who' },
  {
    title: 'Total',
    cell: ({ total_display }) => <span className="amount">{total_display ?? '–'}</span>,
    numeric: true,
    place: 'amount',
  },
  { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Reference', cell: ({ reference }) => reference ?? '–' },
  { title: 'Created', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
];

export function BatchesPage() {
  const mode = useMode();
  const api = useApi();
  const { hasScope } = useMay();
  const { status, kind: word, reference } = useFilters();
  const kind = KINDS.find((known) => known === word);
  const list = usePages(
    [mode, 'batches', status, kind, reference],
    (cursor) => bodyOf(api.GET('/v4/batches', { params: { query: { status, kind, reference, cursor } } })),
    { refetchInterval: asLongAs(isWorkedOn, ASKED_AGAIN_MS) },
  );
  return (
    <>
      <PageHead title="Batches">
        {hasScope('batches:write') && (
          <ButtonLink to="/$mode/batches/new" params={{ mode }}>
            New batch
          </ButtonLink>
        )}
      </PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Batches"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty={
          status || kind || reference
            ? 'No batch matches.'
            : 'No batches yet. A batch is up to 10,000 orders from one CSV file: New batch.'
        }
        columns={COLUMNS}
      />
    </>
  );
}

function What({ batch: { id, kind, dry_run: isDry } }: { batch: Batch }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/batches/$id" params={{ mode, id: id ?? '' }}>
      {isDry ? `${kind}, checked only` : kind}
    </AnchorLink>
  );
}
