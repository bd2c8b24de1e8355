import {
  IconActivity,
  IconAddressBook,
  IconApi,
  IconArrowsLeftRight,
  IconBook2,
  IconBuildingBank,
  IconBuilding,
  IconCash,
  IconCreditCard,
  IconExchange,
  IconFlask,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconPalette,
  IconPercentage,
  IconPlugConnected,
  IconReport,
  IconRocket,
  IconScale,
  IconSend,
  IconServer2,
  IconShieldCheck,
  IconShieldLock,
  IconStack2,
  IconSpeakerphone,
  IconUserCheck,
  IconUsers,
  IconWallet,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Permission, Scope } from '../api/dashboard-api';
import { useMe } from '../session/session';
import { useMay } from '../session/use-may';
import { NavLinkItem } from '../ui/links';
import { useMode } from '../ui/use-mode';

export interface Page {
  readonly page: string;
  readonly label: string;
  readonly icon: TablerIcon;
  readonly permission?: Permission;
  readonly scope?: Scope;
  /** Only where there is more than one. */
  readonly ofCells?: boolean;
}

const SECTIONS: readonly {
  readonly title: string;
  readonly forOperators?: boolean;
  readonly pages: readonly Page[];
}[] = [
  {
    title: 'Money',
    pages: [
      { page: '', label: 'Home', icon: IconHome, permission: 'overview' },
      { page: 'transactions', label: 'Transactions', icon: IconArrowsLeftRight, scope: 'transactions:read' },
      { page: 'wallets', label: 'Wallets', icon: IconWallet, scope: 'wallets:read' },
      { page: 'cards', label: 'Cards', icon: IconCreditCard, scope: 'cards:read' },
      { page: 'payments', label: 'Payments', icon: IconCash, scope: 'payments:read' },
      { page: 'payouts', label: 'Payouts', icon: IconSend, scope: 'payouts:read' },
      { page: 'batches', label: 'Batches', icon: IconStack2, scope: 'batches:read' },
      { page: 'beneficiaries', label: 'Beneficiaries', icon: IconAddressBook, scope: 'beneficiaries:read' },
      { page: 'virtual-accounts', label: 'Virtual accounts', icon: IconBuildingBank, scope: 'virtual_accounts:read' },
      { page: 'conversions', label: 'Conversions', icon: IconExchange, scope: 'conversions:read' },
      { page: 'reports', label: 'Reports', icon: IconReport, scope: 'transactions:read' },
    ],
  },
  {
    title: 'Developers',
    pages: [
      { page: 'keys', label: 'API keys', icon: IconKey, permission: 'keys:read' },
      { page: 'webhooks', label: 'Webhooks', icon: IconWebhook, scope: 'webhooks:read' },
      { page: 'signature-checker', label: 'Signature checker', icon: IconShieldCheck },
      { page: 'events', label: 'Events', icon: IconActivity, scope: 'events:read' },
      { page: 'requests', label: 'Request log', icon: IconApi, permission: 'requests' },
      { page: 'sandbox', label: 'Sandbox', icon: IconFlask, scope: 'sandbox:write' },
    ],
  },
  {
    title: 'Account',
    pages: [
      { page: 'team', label: 'Team', icon: IconUsers, permission: 'team:read' },
      { page: 'branding', label: 'Checkout page', icon: IconPalette, permission: 'branding:write' },
      { page: 'audit-log', label: 'Audit log', icon: IconHistory, permission: 'audit:read' },
      { page: 'security', label: 'Security', icon: IconShieldLock, permission: 'self' },
    ],
  },
  {
    title: 'Platform',
    forOperators: true,
    pages: [
      { page: 'cells', label: 'Cells', icon: IconServer2, ofCells: true },
      { page: 'reviews', label: 'Reviews', icon: IconUserCheck },
      { page: 'incidents', label: 'Incidents', icon: IconSpeakerphone },
      { page: 'accounts', label: 'Accounts', icon: IconBuilding },
      { page: 'providers', label: 'Providers', icon: IconPlugConnected },
      { page: 'fees', label: 'Fees', icon: IconPercentage },
      { page: 'catalogue', label: 'Catalogue', icon: IconListDetails },
      { page: 'books', label: 'Books', icon: IconBook2 },
      { page: 'positions', label: 'Positions', icon: IconScale },
      { page: 'going-live', label: 'Going live', icon: IconRocket },
    ],
  },
];

/** What the role is offered, by section. */
export function usePagesOffered(): readonly { readonly title: string; readonly pages: readonly Page[] }[] {
  const { user } = useMe();
  const { hasPermission, hasScope } = useMay();
  const isOffered = ({ permission, scope, ofCells }: Page) =>
    (!permission || hasPermission(permission)) && (!scope || hasScope(scope)) && (!ofCells || user.several_cells);
  return SECTIONS.filter(({ forOperators }) => !forOperators || user.operator).map(({ title, pages }) => ({
    title,
    pages: pages.filter(isOffered),
  }));
}

export function Navigation() {
  const mode = useMode();
  return usePagesOffered().map(({ title, pages }) => (
    <div key={title} className="nav-section">
      <div className="nav-title">{title}</div>
      {pages.map(({ page, label, icon: Icon }) => (
        <NavLinkItem
          key={page}
          to={`/$mode/${page}` as '/$mode'}
          params={{ mode }}
          label={label}
          className="nav-link"
          leftSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
          // A page of one thing belongs to its list; home is only itself.
          activeOptions={{ exact: page === '', includeSearch: false }}
          variant="light"
        />
      ))}
    </div>
  ));
}

const PLATFORM_PAGES = SECTIONS.filter(({ forOperators }) => forOperators).flatMap(({ pages }) => pages);

/** Whether a page is about the platform as a whole, in both modes alike. */
export const isOfPlatform = (page: string): boolean => PLATFORM_PAGES.some((other) => other.page === page);
