import { DataTable } from '../../ui/data-table';
import { AnchorLink } from '../../ui/links';
import { StatusBadge } from '../../ui/status-badge';
import { useMode } from '../../ui/use-mode';
import { Ago } from '../../ui/when';
import {
  isUnhealthy,
  lastCallAt,
  nameOf,
  type ProviderCalls,
  type ProviderRoute,
  type ProviderRow,
} from './provider-rows';
import { RouteSwitch } from './route-switch';

interface ProviderTableProps {
  readonly caption: string;
  readonly rows: readonly ProviderRow[];
  /** All there are, to know whether somebody else is asked. */
  readonly routes: readonly ProviderRoute[];
  readonly livemode: boolean;
}

export function ProviderTable({ caption, rows, routes, livemode }: ProviderTableProps) {
  return (
    <DataTable
      caption={caption}
      rows={rows}
      keyOf={nameOf}
      columns={[
        { title: 'Product', cell: ({ product }) => product },
        { title: 'Provider', cell: (row) => <ProviderLink row={row} livemode={livemode} /> },
        { title: 'Calls', cell: ({ calls }) => calls?.calls ?? 'not asked', numeric: true },
        { title: 'Unknown', cell: ({ calls }) => (calls ? <UnknownRate calls={calls} /> : '–'), numeric: true },
        { title: 'Mean time', cell: ({ calls }) => (calls ? `${calls.mean_ms} ms` : '–'), numeric: true },
        { title: 'Last call', cell: ({ calls }) => (calls ? <Ago at={lastCallAt(calls)} /> : '–') },
        { title: 'Network and order', cell: (row) => <Routes own={row.routes} all={routes} /> },
      ]}
    />
  );
}

/** Leads to how it was doing. */
function ProviderLink({ row: { product, provider }, livemode }: { row: ProviderRow; livemode: boolean }) {
  const mode = useMode();
  return (
    <AnchorLink
      to="/$mode/providers/$product/$provider"
      params={{ mode, product, provider }}
      search={{ of: livemode ? 'live' : 'test' } as never}
    >
      {provider}
    </AnchorLink>
  );
}

function UnknownRate({ calls }: { calls: ProviderCalls }) {
  return (
    <>
      {`${(calls.unknown_rate * 100).toFixed(1)} %`} {isUnhealthy(calls) && <StatusBadge status="Unhealthy" />}
    </>
  );
}

function Routes({ own, all }: { own: readonly ProviderRoute[]; all: readonly ProviderRoute[] }) {
  if (own.length === 0) return 'no route';
  return (
    <ul className="steps">
      {own.map((route) => (
        <RouteSwitch key={route.network} route={route} routes={all} />
      ))}
    </ul>
  );
}
