import { ActionIcon, Group, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconClock, IconLogout, IconMoon, IconSun, IconWorld, type TablerIcon } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { dashboardApi } from '../api/dashboard-api';
import { leaving, useMe } from '../session/session';
import { useAccountZone, useUtcChoice } from '../ui/use-time-zone';

const LiveControl = lazy(() => import('../session/live-control'));
const Notices = lazy(() => import('./notices'));

/** What goes on, and, where there is room, what a person sets for themselves. */
export const AccountBar = () => (
  <>
    <Suspense>
      <LiveControl />
      <Notices />
    </Suspense>
    <Group gap={4} wrap="nowrap" visibleFrom="sm">
      <OwnButtons />
    </Group>
  </>
);

/** What a person sets for themselves, wherever they are: by whose clocks, which colours, and the way out. */
export function OwnButtons() {
  const { user } = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  async function logOut() {
    await leaving(() => dashboardApi.POST('/auth/log-out'));
    // A whole new document: nothing of what was read stays in memory.
    location.assign('/dashboard/log-in');
  }
  return (
    <>
      <ClocksButton />
      <BarButton
        icon={next === 'dark' ? IconMoon : IconSun}
        label={`Use ${next} colours`}
        onClick={() => setColorScheme(next)}
      />
      <BarButton icon={IconLogout} label="Log out" title={`Log out ${user.email}`} onClick={() => void logOut()} />
    </>
  );
}

/** Times of every page by the account's clocks, or in UTC like the API's. Not there for an account that lives in UTC. */
function ClocksButton() {
  const zone = useAccountZone();
  const [utc, setUtc] = useUtcChoice();
  if (zone === undefined || zone === 'UTC') return null;
  return (
    <BarButton
      icon={utc ? IconWorld : IconClock}
      label={utc ? `Show times in ${zone}` : 'Show times in UTC'}
      onClick={() => setUtc(!utc)}
    />
  );
}

interface BarButtonProps {
  readonly icon: TablerIcon;
  readonly label: string;
  readonly title?: string;
  readonly onClick: () => void;
}

export function BarButton({ icon: Icon, label, title = label, onClick }: BarButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" onClick={onClick} aria-label={label} title={title}>
      <Icon size={18} stroke={1.6} aria-hidden="true" />
    </ActionIcon>
  );
}
