import type { DashboardSchemas } from '../../../api/dashboard-api';
import type { Mode } from '../../../api/public-api';
import { CopyButton } from '../../../ui/copy-button';
import type { Column } from '../../../ui/data-table';
import { AnchorLink } from '../../../ui/links';
import { StatusBadge } from '../../../ui/status-badge';
import { When } from '../../../ui/when';

/** `cell`: where it is, in a list of several. */
export type PlatformAccount = DashboardSchemas['PlatformAccount'] & { readonly cell?: string };

export const STATES = [
  { value: 'live', label: 'live mode' },
  { value: 'test_only', label: 'test only' },
  { value: 'frozen', label: 'frozen' },
] as const;

export interface AccountsAsked {
  readonly q: string | undefined;
  readonly state: (typeof STATES)[number]['value'] | undefined;
}

export const accountColumns = (mode: Mode): Column<PlatformAccount>[] => [
  {
    title: 'Account',
    place: 'what',
    cell: ({ id, name, cell }) => (
      <AnchorLink to="/$mode/accounts/$id" params={{ mode, id }} {...(cell && { search: { cell } as never })}>
        {name}
      </AnchorLink>
    ),
  },
  { title: 'Owner', place: 'who', cell: ({ owner }) => owner ?? '–' },
  {
    title: 'Id',
    cell: ({ id }) => (
      <span className="id-copy">
        <span className="id">…{id.slice(-6)}</span>
        <CopyButton value={id} label={id} />
      </span>
    ),
  },
  { title: 'State', place: 'state', cell: (account) => <StatusBadge status={stateOf(account)} /> },
  { title: 'Tier', cell: ({ tier }) => tier },
  { title: 'Since', place: 'time', cell: ({ created_at }) => <When at={created_at} /> },
];

export function stateOf({ freeze, live_enabled }: PlatformAccount): string {
  if (freeze !== null) return 'frozen';
  return live_enabled ? 'live' : 'test only';
}
