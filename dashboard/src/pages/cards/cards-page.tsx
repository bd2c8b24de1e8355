import { Button, Modal } from '@mantine/core';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PagedTable } from '../../ui/data-table';
import { FilterBar, useFilters } from '../../ui/filters';
import { AnchorLink } from '../../ui/links';
import { moneyText } from '../../ui/money';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { timeText } from '../../ui/time';
import { useApi, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
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

export function CardsPage() {
  const mode = useMode();
  const api = useApi();
  const { status: word } = useFilters();
  const { hasScope } = useMay();
  const [issuing, { open, close }] = useNewForm();
  const status = STATUSES.find((known) => known === word);
  const list = usePages([mode, 'cards', status], (cursor) =>
    bodyOf(api.GET('/v4/cards', { params: { query: { status, cursor } } })),
  );
  return (
    <>
      <PageHead title="Cards">{hasScope('cards:write') && <Button onClick={open}>Issue a card</Button>}</PageHead>
      <FilterBar fields={[{ name: 'status', label: 'Status', options: STATUSES }]} />
      <PagedTable
        caption="Cards"
        list={list}
        keyOf={({ id }) => id ?? ''}
        empty="No cards yet."
        columns={[
          {
            title: 'Card',
            cell: ({ id, masked_number, label }) => (
              <AnchorLink to="/$mode/cards/$id" params={{ mode, id: id ?? '' }}>
                {label ?? masked_number ?? id}
              </AnchorLink>
            ),
          },
          { title: 'Status', cell: (card) => <StatusBadge status={card.status} /> },
          { title: 'Holder', cell: ({ name_on_card }) => name_on_card },
          {
            title: 'Available',
            cell: ({ balance, currency }) => moneyText(balance.available, currency),
            numeric: true,
          },
          { title: 'Held', cell: ({ balance, currency }) => moneyText(balance.held, currency), numeric: true },
          { title: 'Issued', cell: ({ created_at }) => timeText(created_at) },
        ]}
      />
      <Modal
        opened={issuing}
        onClose={close}
        title="Issue a card"
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <IssueForm onMade={close} />
      </Modal>
    </>
  );
}
