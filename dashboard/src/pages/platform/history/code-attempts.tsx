import { useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { CopyButton } from '../../../ui/copy-button';
import { DataTable, Loading } from '../../../ui/data-table';
import { AnchorLink } from '../../../ui/links';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useMode } from '../../../ui/use-mode';
import { When } from '../../../ui/when';
import type { HistoryQuery } from './history';

/** The last orders that ended with a code; each leads to its evidence. */
export function CodeAttempts({ query }: { query: HistoryQuery & { readonly code: string } }) {
  const operators = useOperators();
  const mode = useMode();
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'provider-attempts', query],
    queryFn: () => bodyOf(operators.api.GET('/operators/provider-history/attempts', { params: { query } })),
  });
  return (
    <>
      <ProblemAlert error={error} />
      {isPending && <Loading label="orders" />}
      {data && (
        <DataTable
          caption="Orders"
          rows={data.data}
          keyOf={({ transaction_id, at }) => `${transaction_id} ${at}`}
          empty="None in this time."
          columns={[
            {
              title: 'Transaction',
              place: 'what',
              cell: ({ transaction_id: id, account_id }) => (
                <span className="id-copy">
                  <AnchorLink
                    className="id"
                    to="/$mode/reviews/$id"
                    params={{ mode, id }}
                    search={{ account: account_id, of: query.livemode ? 'live' : 'test' } as never}
                  >
                    …{id.slice(-6)}
                  </AnchorLink>
                  <CopyButton value={id} label={id} />
                </span>
              ),
            },
            { title: 'Account', place: 'who', cell: ({ account_name }) => account_name },
            { title: 'Said', cell: ({ message }) => message ?? '–' },
            { title: 'By now', place: 'state', cell: ({ status }) => <StatusBadge status={status} /> },
            { title: 'When', place: 'time', cell: ({ at }) => <When at={at} /> },
          ]}
        />
      )}
    </>
  );
}
