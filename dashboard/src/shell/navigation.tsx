import { Text } from '@mantine/core';
import type { Permission, Scope } from '../api/dashboard-api';
import { useMe } from '../session/session';
import { useMay } from '../session/use-may';
import { NavLinkItem } from '../ui/links';
import { useMode } from '../ui/use-mode';

interface Page {
  readonly page: string;
  readonly label: string;
  readonly permission?: Permission;
  readonly scope?: Scope;
}

const SECTIONS: readonly {
  readonly title: string;
  readonly forOperators?: boolean;
  readonly pages: readonly Page[];
}[] = [
  {
    title: 'Money',
    pages: [
      { page: '', label: 'Home', permission: 'overview' },
      { page: 'transactions', label: 'Transactions', scope: 'transactions:read' },
      { page: 'wallets', label: 'Wallets', scope: 'wallets:read' },
      { page: 'cards', label: 'Cards', scope: 'cards:read' },
      { page: 'payments', label: 'Payments', scope: 'payments:read' },
    ],
  },
  {
    title: 'Developers',
    pages: [
      { page: 'keys', label: 'API keys', permission: 'keys:read' },
      { page: 'webhooks', label: 'Webhooks', scope: 'webhooks:read' },
      { page: 'signature-checker', label: 'Signature checker' },
      { page: 'events', label: 'Events', scope: 'events:read' },
      { page: 'requests', label: 'Request log', permission: 'requests' },
      { page: 'sandbox', label: 'Sandbox', scope: 'sandbox:write' },
    ],
  },
  {
    title: 'Account',
    pages: [
      { page: 'team', label: 'Team', permission: 'team:read' },
      { page: 'audit-log', label: 'Audit log', permission: 'audit:read' },
      { page: 'security', label: 'Security', permission: 'self' },
    ],
  },
  {
    title: 'Platform',
    forOperators: true,
    pages: [
      { page: 'providers', label: 'Providers' },
      { page: 'fees', label: 'Fees' },
      { page: 'going-live', label: 'Going live' },
    ],
  },
];

export function Navigation() {
  const mode = useMode();
  const { user } = useMe();
  const { hasPermission, hasScope } = useMay();
  const isOffered = ({ permission, scope }: Page) =>
    (!permission || hasPermission(permission)) && (!scope || hasScope(scope));
  return SECTIONS.filter(({ forOperators }) => !forOperators || user.operator).map(({ title, pages }) => (
    <div key={title} className="nav-section">
      <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm">
        {title}
      </Text>
      {pages.filter(isOffered).map(({ page, label }) => (
        <NavLinkItem
          key={page}
          to={`/$mode/${page}` as '/$mode'}
          params={{ mode }}
          label={label}
          // A page of one thing belongs to its list; home is only itself.
          activeOptions={{ exact: page === '', includeSearch: false }}
          variant="light"
        />
      ))}
    </div>
  ));
}
