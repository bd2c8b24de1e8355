import { dashboardApi, type DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf, type Mode } from '../../../api/public-api';
import { CopyButton } from '../../../ui/copy-button';
import { type Column, PagedTable } from '../../../ui/data-table';
import { FilterBar, type FilterField } from '../../../ui/filters';
import { useFilters } from '../../../ui/use-filters';
import { AnchorLink } from '../../../ui/links';
import { PageHead } from '../../../ui/page-head';
import { StatusBadge } from '../../../ui/status-badge';
import { useMode } from '../../../ui/use-mode';
import { usePages } from '../../../ui/use-pages';
import { When } from '../../../ui/when';

export type PlatformAccount = DashboardSchemas['PlatformAccount'];

const STATES = [
  { value: 'live', label: 'live mode' },
  { value: 'test_only', label: 'test only' },
  { value: 'frozen', label: 'frozen' },
] as const;

const FIELDS: readonly FilterField[] = [
  { name: 'q', label: 'Name, id or e-mail' },
  { name: 'state', label: 'State', options: STATES },
];

/** Everybody who uses the platform. */
export function AccountsPage() {
  const mode = useMode();
  const { q, state: word } = useFilters();
  const query = { q: q || undefined, state: STATES.find(({ value }) => value === word)?.value };
  const list = usePages(['operators', 'accounts', query], (cursor) =>
    bodyOf(dashboardApi.GET('/operators/accounts', { params: { query: { ...query, cursor } } })),
  );
  return (
    <>
      <PageHead title="Accounts" />
      <FilterBar fields={FIELDS} />
      <PagedTable
        caption="Accounts"
        list={list}
        keyOf={({ id }) => id}
        empty="No account is called so."
        columns={columnsFor(mode)}
      />
    </>
  );
}

const columnsFor = (mode: Mode): Column<PlatformAccount>[] => [
  {
    title: 'Account',
    place: 'what',
    cell: ({ id, name }) => (
      <AnchorLink to="/$mode/accounts/$id" params={{ mode, id }}>
        {name}
      </AnchorLink>
    ),
  },
  { title: 'Owner', place: 'who', cell: ({ owner }) => owner ?? '–' },
  {
    title: 'Id',
    cell: ({ id }) => (
      <span className="id-copy">
        <span className="id">…{id.slice(-6)}</span>
        <CopyButton value={id} label={id} />
      </span>
    ),
  },
  { title: 'State', place: 'state', cell: (account) => <StatusBadge status={stateOf(account)} /> },
  { title: 'Tier', cell: ({ tier }) => tier },
  { title: 'Since', place: 'time', cell: ({ created_at }) => <When at={created_at} /> },
];

export function stateOf({ freeze, live_enabled }: PlatformAccount): string {
  if (freeze !== null) return 'frozen';
  return live_enabled ? 'live' : 'test only';
}
