import { Button, Modal } from '@mantine/core';
import { useNewForm } from '../../ui/use-new-form';
import { bodyOf, type Schemas } from '../../api/public-api';
import { type Column, PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { useAction } from '../../ui/use-action';
import { useApi, useMode } from '../../ui/use-mode';
import { asLongAs, usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { KINDS, ReportForm } from './report-form';

type Report = Schemas['Report'];

const STATUSES = ['pending', 'ready', 'failed', 'expired'] as const satisfies readonly Report['status'][];
const FILTERS: readonly FilterField[] = [
  { name: 'kind', label: 'Kind', options: KINDS, several: true },
  { name: 'status', label: 'Status', options: STATUSES, several: true },
];

const ASKED_AGAIN_MS = 2_000;
const KIB = 1_024;

const COLUMNS: readonly Column<Report>[] = [
  { title: 'Report', cell: ({ kind, from, to }) => `${kind}, ${from} to ${to}`, place: 'what' },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, place: 'state' },
  {
    title: 'Lines',
    cell: ({ rows }) => (rows === null ? '–' : rows.toLocaleString('en')),
    numeric: true,
    place: 'who',
  },
  { title: 'Size', cell: ({ bytes }) => (bytes === null ? '–' : `${Math.ceil(bytes / KIB)} kB`), numeric: true },
  { title: 'Period', cell: ({ closed }) => (closed === null ? '–' : closed ? 'closed' : 'can still grow') },
  { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Kept until', cell: ({ expires_at: at }) => <When at={at} /> },
  { title: 'Asked', cell: ({ created_at }) => <When at={created_at} />, place: 'time' },
  { title: 'File', cell: (report) => <Download report={report} />, place: 'amount' },
];

export function ReportsPage() {
  const mode = useMode();
  const api = useApi();
  const { kind, status } = useFilters();
  const [asking, { open, close }] = useNewForm();
  const list = usePages(
    [mode, 'reports', kind, status],
    (cursor) => bodyOf(api.GET('/v4/reports', { params: { query: { kind, status, cursor } } })),
    { refetchInterval: asLongAs(({ status: now }: Report) => now === 'pending', ASKED_AGAIN_MS) },
  );
  return (
    <>
      <PageHead title="Reports">
        <Button onClick={open}>New report</Button>
      </PageHead>
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Reports"
        list={list}
        keyOf={({ id }) => id}
        empty={
          kind || status
            ? 'No report matches.'
            : 'No reports yet. One has the lines of all wallets for a period, in a file: New report.'
        }
        columns={COLUMNS}
      />
      <Modal opened={asking} onClose={close} title="New report">
        <ReportForm onDone={close} />
      </Modal>
    </>
  );
}

/** Of the link only what comes after the host: this page is of the same service, whatever name it was opened by. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** A link that is good for a quarter of an hour is made when it is asked for. */
function Download({ report: { id, status } }: { report: Report }) {
  const api = useApi();
  const fetchIt = useAction(() => bodyOf(api.POST('/v4/reports/{id}/link', { params: { path: { id } } })));
  if (status !== 'ready') return <>–</>;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        loading={fetchIt.isPending}
        onClick={() => fetchIt.mutate(undefined, { onSuccess: ({ url }) => globalThis.location.assign(pathOf(url)) })}
      >
        Download
      </Button>
      <ProblemAlert error={fetchIt.error} />
    </>
  );
}
