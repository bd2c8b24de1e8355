import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DashboardSchemas } from '../../../api/dashboard-api';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, DataTable, Loading } from '../../../ui/data-table';
import { percentText } from '../../../ui/money';
import { ProblemAlert } from '../../../ui/problem-alert';
import { Amounts, Availability, providersText } from './sold';

type Network = DashboardSchemas['SoldNetwork'];

/** Networks whose airtime is sold. */
export function Networks({ livemode }: { livemode: boolean }) {
  const operators = useOperators();
  const query = { livemode };
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'catalogue', 'networks', query],
    queryFn: () => bodyOf(operators.api.GET('/operators/catalogue/networks', { params: { query } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <ProblemAlert error={error} />
      {isPending && <Loading label="networks" />}
      {data && (
        <DataTable
          caption="Airtime"
          rows={data.data}
          keyOf={({ country, slug }) => `${country} ${slug}`}
          columns={COLUMNS}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Network>[] = [
  { title: 'Network', place: 'what', cell: ({ name }) => name },
  { title: 'Country', place: 'who', cell: ({ country }) => country },
  {
    title: 'Amounts',
    place: 'amount',
    numeric: true,
    cell: ({ min_display, max_display }) => <Amounts texts={[min_display, max_display]} />,
  },
  { title: 'Commission', numeric: true, cell: ({ commission_bps: points }) => `${percentText(points)} %` },
  { title: 'Asked', cell: ({ asked }) => providersText(asked) },
  { title: 'State', place: 'state', cell: ({ asked }) => <Availability asked={asked} /> },
  { title: 'Said of it', cell: ({ status_message }) => status_message ?? '–' },
];
