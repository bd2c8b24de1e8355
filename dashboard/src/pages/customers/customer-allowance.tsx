import { useQuery } from '@tanstack/react-query';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { DataTable } from '../../ui/data-table';
import { sumText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { Bar } from '../cards/card-spending';

/** What they may have on cards, and what of it is left. */
export function CustomerAllowance({ id }: { id: string }) {
  const mode = useMode();
  const livemode = useLivemode();
  const { data, error } = useQuery({
    queryKey: [mode, 'customer', id, 'allowance'],
    queryFn: () =>
      bodyOf(dashboardApi.GET('/customers/{id}/allowance', { params: { path: { id }, query: { livemode } } })),
  });
  if (error) return <ProblemAlert error={error} />;
  if (!data) return null;
  const money = (amount: number) => sumText(amount, data.currency);
  const rows = [
    { name: 'Cards at once', max: data.cards_max, used: data.cards, text: String },
    { name: 'Loads in 24 hours', max: data.load_daily_max, used: data.loaded ?? Infinity, text: money },
    { name: 'One load', max: data.load_single_max, used: null, text: money },
    { name: 'On a card', max: data.balance_max, used: null, text: money },
  ] as const;
  return (
    <DataTable
      caption={`What tier ${data.tier} may have`}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { title: `Limit of tier ${data.tier}`, cell: ({ name }) => name, place: 'what' },
        {
          title: 'Used',
          cell: ({ used, max }) => (used !== null && max !== null ? <Bar part={used} whole={max} warns /> : '–'),
          place: 'who',
        },
        {
          title: 'Left',
          cell: ({ used, max, text }) =>
            used === null ? '–' : max === null ? `${text(used)} used` : `${text(Math.max(max - used, 0))} left`,
          numeric: true,
          place: 'time',
        },
        {
          title: 'At most',
          cell: ({ max, text }) => <span className="amount">{max === null ? 'no limit' : text(max)}</span>,
          numeric: true,
          place: 'amount',
        },
      ]}
    />
  );
}
