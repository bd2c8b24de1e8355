import { Button, Modal } from '@mantine/core';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { type Column, PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { flagOf, isNarrowed, REVIEW_FILTER } from '../../ui/list-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { useLivemode, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
import { When } from '../../ui/when';
import { CardsTabs } from '../cards/cards-tabs';
import { CustomerForm } from './customer-form';

type Row = DashboardSchemas['FoundCustomer'];

const STATES = ['unverified', 'pending', 'verified', 'rejected'] as const satisfies readonly Row['kyc_status'][];
const TIERS = ['0', '1', '2', '3'] as const;

const FILTERS: readonly FilterField[] = [
  { name: 'q', label: 'Name, e-mail, phone or id' },
  { name: 'kyc_status', label: 'KYC', options: STATES, several: true },
  { name: 'kyc_tier', label: 'Tier', options: TIERS },
  REVIEW_FILTER,
];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Customer', cell: (row) => <Name row={row} />, place: 'what' },
  {
    title: 'KYC',
    cell: ({ kyc_status: status, needs_review: review }) => (
      <span className="marks">
        {review && <NeedsReview />}
        <StatusBadge status={status} />
      </span>
    ),
    place: 'state',
  },
  { title: 'Tier', cell: ({ kyc_tier: tier }) => tier, numeric: true },
  { title: 'E-mail', cell: ({ email }) => email || '–', place: 'who' },
  { title: 'Phone', cell: ({ phone }) => phone || '–' },
  { title: 'Cards', cell: ({ cards }) => (cards === 1 ? '1 card' : `${cards} cards`), place: 'amount' },
  { title: 'Id', cell: ({ id }) => <IdLink id={id} /> },
  { title: 'Registered', cell: ({ created_at: at }) => <When at={at} />, place: 'time' },
];

/** Who holds cards, and how far they are known. */
export function CustomersPage() {
  const mode = useMode();
  const livemode = useLivemode();
  const { hasScope } = useMay();
  const [creating, { open, close }] = useNewForm();
  const { q, kyc_status, kyc_tier: tier, needs_review: review } = useFilters();
  const wanted = { q, kyc_status, kyc_tier: TIERS.find((known) => known === tier), needs_review: flagOf(review) };
  const list = usePages(
    [mode, 'customers', wanted],
    (cursor) => bodyOf(dashboardApi.GET('/customers', { params: { query: { livemode, ...wanted, cursor } } })),
    { live: ['customer'] },
  );
  const isFiltered = isNarrowed(wanted);
  return (
    <>
      <PageHead title="Customers">{hasScope('cards:write') && <Button onClick={open}>New customer</Button>}</PageHead>
      <CardsTabs />
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Customers"
        list={list}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? 'No customer matches.' : 'No customers yet. Whoever is to hold a card is one: New customer.'
        }
        columns={COLUMNS}
      />
      <Modal opened={creating} onClose={close} title="New customer" size="lg">
        <CustomerForm onDone={close} />
      </Modal>
    </>
  );
}

function Name({ row: { id, name, anonymized } }: { row: Row }) {
  const mode = useMode();
  return (
    <AnchorLink inherit to="/$mode/cards/customers/$id" params={{ mode, id }}>
      {anonymized ? 'Anonymized' : name}
    </AnchorLink>
  );
}
