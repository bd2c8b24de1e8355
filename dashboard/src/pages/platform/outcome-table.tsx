import { DataTable } from '../../ui/data-table';
import { Ago } from '../../ui/when';
import type { ProviderRow } from './provider-rows';

/** Every call by how it ended. */
export function OutcomeTable({ caption, rows }: { caption: string; rows: readonly ProviderRow[] }) {
  const outcomes = rows.flatMap(({ product, provider, calls }) =>
    (calls?.outcomes ?? []).map((outcome) => ({ product, provider, ...outcome })),
  );
  if (outcomes.length === 0) return null;
  return (
    <details>
      <summary>{caption}</summary>
      <DataTable
        caption={caption}
        rows={outcomes}
        keyOf={({ product, provider, call, outcome }) => `${product} ${provider} ${call} ${outcome}`}
        columns={[
          { title: 'Product', cell: ({ product }) => product },
          { title: 'Provider', cell: ({ provider }) => provider },
          { title: 'Call', cell: ({ call }) => call.replaceAll('_', ' ') },
          { title: 'Outcome', cell: ({ outcome }) => outcome.replaceAll('_', ' ') },
          { title: 'Calls', cell: ({ calls }) => calls, numeric: true },
          { title: 'Mean time', cell: ({ mean_ms }) => `${mean_ms} ms`, numeric: true },
          { title: 'Last', cell: ({ last_at }) => <Ago at={last_at} /> },
        ]}
      />
    </details>
  );
}
