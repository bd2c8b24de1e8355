import { Button, Modal } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, type FilterField } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { DAY_FILTERS, flagOf, isNarrowed, useDays } from '../../ui/list-filters';
import { PageHead } from '../../ui/page-head';
import { useApi, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
import { CARD_COLUMNS } from './card-columns';
import { CardsTabs } from './cards-tabs';
import { IssueForm } from './issue-form';

const STATUSES = [
  'pending',
  'active',
  'frozen',
  'blocked',
  'terminated',
  'expired',
  'failed',
] as const satisfies readonly Schemas['Card']['status'][];

const FILTERS: readonly FilterField[] = [
  { name: 'status', label: 'Status', options: STATUSES },
  {
    name: 'overdrawn',
    label: 'Debt',
    options: [
      { value: 'true', label: 'owes money' },
      { value: 'false', label: 'owes nothing' },
    ],
  },
  {
    name: 'needs_review',
    label: 'Review',
    options: [
      { value: 'true', label: 'waits for a person' },
      { value: 'false', label: 'does not' },
    ],
  },
  { name: 'customer_id', label: 'Customer', whole: true },
  ...DAY_FILTERS,
];

export function CardsPage() {
  const mode = useMode();
  const api = useApi();
  const { status: word, overdrawn: owes, needs_review: review, customer_id } = useFilters();
  const { days, isZoneKnown } = useDays();
  const { hasScope } = useMay();
  const [issuing, { open, close }] = useNewForm();
  const status = STATUSES.find((known) => known === word);
  const wanted = { status, customer_id, overdrawn: flagOf(owes), needs_review: flagOf(review), ...days };
  const list = usePages(
    [mode, 'cards', wanted],
    (cursor) => bodyOf(api.GET('/v4/cards', { params: { query: { ...wanted, cursor } } })),
    { enabled: isZoneKnown, live: ['card'] },
  );
  const isFiltered = isNarrowed(wanted);
  return (
    <>
      <PageHead title="Cards">{hasScope('cards:write') && <Button onClick={open}>Issue a card</Button>}</PageHead>
      <CardsTabs />
      <FilterBar fields={FILTERS} />
      <PagedTable
        caption="Cards"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty={isFiltered ? 'No card matches.' : 'No cards yet. A card is loaded from a USD wallet: Issue a card.'}
        columns={CARD_COLUMNS}
      />
      <Modal opened={issuing} onClose={close} title="Issue a card" size="lg">
        <IssueForm customerId={customer_id} onMade={close} />
      </Modal>
    </>
  );
}
