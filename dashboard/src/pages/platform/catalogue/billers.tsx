import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, DataTable, Loading, PagedTable } from '../../../ui/data-table';
import { Dialog } from '../../../ui/dialog';
import { FilterBar } from '../../../ui/filters';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useAction } from '../../../ui/use-action';
import { useFilters } from '../../../ui/use-filters';
import { usePages } from '../../../ui/use-pages';
import { ReasonForm } from '../reason-form';
import { Amounts, Availability, type Facts, providersText, queryOf, saleFields } from './sold';

type Biller = DashboardSchemas['SoldBiller'];
type Item = DashboardSchemas['SoldItem'];

const LIMIT = 50;

interface Opened {
  readonly biller: Biller;
  readonly what: 'items' | 'switch';
}

/** Whom bills are paid to. Which there are is decided by the tables; whether one can be paid, here. */
export function Billers({ facts: { categories, countries }, livemode }: { facts: Facts; livemode: boolean }) {
  const operators = useOperators();
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const query = { ...queryOf(useFilters(), livemode), limit: LIMIT };
  const list = usePages([...operators.key, 'catalogue', 'billers', query], (cursor) =>
    bodyOf(operators.api.GET('/operators/catalogue/billers', { params: { query: { ...query, cursor } } })),
  );
  const columns = useMemo(() => columnsWith(setOpened), []);
  return (
    <>
      <FilterBar fields={saleFields('Category', categories, countries)} />
      <PagedTable
        caption="Billers"
        list={list}
        keyOf={({ code }) => code}
        empty="No biller is like that."
        columns={columns}
      />
      <Dialog
        opened={opened?.what === 'items'}
        onClose={close}
        size="xl"
        title={`What ${opened?.biller.name ?? ''} sells`}
      >
        {opened?.what === 'items' && <Items biller={opened.biller} />}
      </Dialog>
      <Dialog
        opened={opened?.what === 'switch'}
        onClose={close}
        title={`${opened?.biller.on_sale ? 'Stop' : 'Allow'} payments to ${opened?.biller.name ?? ''}?`}
      >
        {opened?.what === 'switch' && <Switch biller={opened.biller} onDone={close} />}
      </Dialog>
    </>
  );
}

const columnsWith = (open: (opened: Opened) => void): readonly Column<Biller>[] => [
  { title: 'Biller', place: 'what', cell: ({ name }) => name },
  { title: 'Code', cell: ({ code }) => <span className="id">{code}</span> },
  { title: 'Category', place: 'who', cell: ({ category, country }) => `${category.replaceAll('_', ' ')}, ${country}` },
  {
    title: 'Amounts',
    numeric: true,
    cell: ({ min_display, max_display }) => <Amounts texts={[min_display, max_display]} />,
  },
  { title: 'Asked', cell: ({ asked }) => providersText(asked) },
  { title: 'State', place: 'state', cell: ({ asked, on_sale }) => <Availability asked={asked} isOnSale={on_sale} /> },
  {
    title: 'Actions',
    place: 'amount',
    cell: (biller) => (
      <Group gap="xs" wrap="nowrap">
        {biller.items > 0 && (
          <Button
            variant="default"
            size="xs"
            aria-label={`${itemsText(biller)} of ${biller.name}`}
            onClick={() => open({ biller, what: 'items' })}
          >
            {itemsText(biller)}
          </Button>
        )}
        <Button
          variant="default"
          size="xs"
          aria-label={`${biller.on_sale ? 'Stop' : 'Allow'} payments to ${biller.name}`}
          onClick={() => open({ biller, what: 'switch' })}
        >
          {biller.on_sale ? 'Stop' : 'Allow'}
        </Button>
      </Group>
    ),
  },
];

const itemsText = ({ items }: Biller): string => (items === 1 ? '1 item' : `${items} items`);

function Items({ biller: { code } }: { biller: Biller }) {
  const operators = useOperators();
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'catalogue', 'items', code],
    queryFn: () =>
      bodyOf(operators.api.GET('/operators/catalogue/billers/{code}/items', { params: { path: { code } } })),
  });
  return (
    <>
      <ProblemAlert error={error} />
      {isPending && <Loading label="items" />}
      {data && <DataTable caption="Items" rows={data.data} keyOf={(item) => item.code} columns={ITEMS} />}
    </>
  );
}

const ITEMS: readonly Column<Item>[] = [
  { title: 'Item', place: 'what', cell: ({ name }) => name },
  { title: 'Code', place: 'who', cell: ({ code }) => <span className="id">{code}</span> },
  {
    title: 'Price',
    place: 'amount',
    numeric: true,
    cell: ({ price_display, min_display, max_display }) => (
      <Amounts texts={price_display === null ? [min_display ?? '', max_display ?? ''] : [price_display]} />
    ),
  },
  {
    title: 'State',
    place: 'state',
    cell: ({ on_sale }) => <StatusBadge status={on_sale ? 'on sale' : 'not on sale'} />,
  },
];

function Switch({ biller: { code, name, on_sale: isOnSale }, onDone }: { biller: Biller; onDone: () => void }) {
  const operators = useOperators();
  const action = useAction(
    (reason: string) =>
      operators.api.PUT('/operators/catalogue/billers/{code}', {
        params: { path: { code } },
        body: { enabled: !isOnSale, reason },
      }),
    `${name} can ${isOnSale ? 'no longer be paid' : 'be paid'}.`,
  );
  return (
    <ReasonForm
      action={action}
      description="It is kept in the audit log. Every account is told by an event that the biller changed, without it."
      button={isOnSale ? 'Stop payments' : 'Allow payments'}
      color={isOnSale ? 'red' : undefined}
      onDone={onDone}
    />
  );
}
