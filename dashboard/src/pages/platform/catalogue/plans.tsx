import { Stack, Text } from '@mantine/core';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, PagedTable } from '../../../ui/data-table';
import { FilterBar } from '../../../ui/filters';
import { useFilters } from '../../../ui/use-filters';
import { usePages } from '../../../ui/use-pages';
import { Ago, When } from '../../../ui/when';
import { PlanSources } from './plan-sources';
import { Availability, type Facts, providersText, queryOf, saleFields } from './sold';

type Plan = DashboardSchemas['SoldPlan'];

const LIMIT = 50;

/** Data plans. They come from files and from lists of providers. */
export function Plans({ facts: { networks, countries, synced_at }, livemode }: { facts: Facts; livemode: boolean }) {
  const operators = useOperators();
  const query = { ...queryOf(useFilters(), livemode), limit: LIMIT };
  const list = usePages([...operators.key, 'catalogue', 'plans', query], (cursor) =>
    bodyOf(operators.api.GET('/operators/catalogue/plans', { params: { query: { ...query, cursor } } })),
  );
  return (
    <>
      <Stack gap="xs" mb="md">
        <Text size="sm" c="dimmed">
          Plans come from a file (<code>catalogue:import</code>) or the list of a live provider, which is asked for once
          a day: last <Ago at={synced_at} />.
        </Text>
        <PlanSources />
      </Stack>
      <FilterBar fields={saleFields('Network', networks, countries)} />
      <PagedTable
        caption="Data plans"
        list={list}
        keyOf={({ code }) => code}
        empty="No plan is like that."
        columns={COLUMNS}
      />
    </>
  );
}

const COLUMNS: readonly Column<Plan>[] = [
  { title: 'Plan', place: 'what', cell: ({ name }) => name },
  { title: 'Code', cell: ({ code }) => <span className="id">{code}</span> },
  { title: 'Network', place: 'who', cell: ({ network, country }) => `${network}, ${country}` },
  {
    title: 'Price',
    place: 'amount',
    numeric: true,
    cell: ({ price_display }) => <span className="amount">{price_display}</span>,
  },
  { title: 'Asked', cell: ({ asked }) => providersText(asked) },
  { title: 'State', place: 'state', cell: ({ asked, on_sale }) => <Availability asked={asked} isOnSale={on_sale} /> },
  { title: 'Changed', cell: ({ updated_at }) => <When at={updated_at} /> },
];
