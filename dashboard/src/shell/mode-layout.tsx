import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { Problem } from '../api/problem';
import { meQuery, useMe } from '../session/session';
import { Loading } from '../ui/data-table';
import { useMode } from '../ui/use-mode';
import { AccountBar } from './account-bar';
import { LiveLocked } from './live-locked';
import { ModeBar } from './mode-bar';
import { ModeSwitch } from './mode-switch';
import { Navigation } from './navigation';
import { OfflineBar } from './offline-bar';

/** The frame of every page behind the log-in: the bar in the colour of the mode, the navigation, and the page. */
export function ModeLayout() {
  const mode = useMode();
  const { account } = useMe();
  const [opened, { toggle, close }] = useDisclosure();
  useEndedSession();
  const main = useFocusOnNewPage(close);
  const locked = mode === 'live' && !account.live_enabled;
  return (
    <AppShell
      header={{ height: 88 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip" href="#main">
          Skip to the page
        </a>
        <ModeBar />
        <Group h={60} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? 'Close the menu' : 'Open the menu'}
              aria-expanded={opened}
            />
            <Text fw={700} truncate>
              {account.name}
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ModeSwitch />
            <AccountBar />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea}>
          <Navigation />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        <OfflineBar />
        <Suspense fallback={<Loading label="page" />}>{locked ? <LiveLocked /> : <Outlet />}</Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** Elsewhere signed out, or idle for too long: what is shown goes, and the log-in knows the way back. */
function useEndedSession() {
  const { error } = useQuery(meQuery);
  const navigate = useNavigate();
  const { href } = useLocation();
  const isEnded = error instanceof Problem && error.status === 401;
  useEffect(() => {
    if (isEnded) void navigate({ to: '/log-in', search: { next: href }, reloadDocument: true });
  }, [isEnded, navigate, href]);
}

/** A screen reader and the keyboard begin a new page at its start. */
function useFocusOnNewPage(onNewPage: () => void) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    onNewPage();
    main.current?.focus({ preventScroll: true });
  }, [pathname, onNewPage]);
  return main;
}
