import { Text } from '@mantine/core';
import { NavLinkItem } from '../ui/links';
import { useMode } from '../ui/use-mode';

const SECTIONS = [
  { title: 'Money', pages: [['', 'Home'], ['transactions', 'Transactions'], ['wallets', 'Wallets'], ['cards', 'Cards'], ['payments', 'Payments']] },
  {
    title: 'Developers',
    pages: [['keys', 'API keys'], ['webhooks', 'Webhooks'], ['signature-checker', 'Signature checker'], ['events', 'Events'], ['requests', 'Request log'], ['sandbox', 'Sandbox']],
  },
  { title: 'Account', pages: [['team', 'Team'], ['audit-log', 'Audit log'], ['security', 'Security']] },
] as const;

export function Navigation() {
  const mode = useMode();
  return SECTIONS.map(({ title, pages }) => (
    <div key={title} className="nav-section">
      <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm">
        {title}
      </Text>
      {pages.map(([page, label]) => (
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
