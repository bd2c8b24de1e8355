import { AppShell, Burger, CloseButton, Group } from '@mantine/core';
import { IconBook } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Problem } from '../api/problem';
import type { Mode } from '../api/public-api';
import { AccountSwitch } from '../session/account-switch';
import { isLeaving, meQuery, useMe } from '../session/session';
import { Loading } from '../ui/data-table';
import { useMode } from '../ui/use-mode';
import { AccountBar, OwnButtons } from './account-bar';
import { LiveLocked } from './live-locked';
import { ModeBar } from './mode-bar';
import { ModeSwitch } from './mode-switch';
import { Logo } from './logo';
import { isOfPlatform, Navigation } from './navigation';
import { OfflineBar } from './offline-bar';
import { Search } from './search';

const IncidentBanner = lazy(() => import('./incident-banner'));

/** The frame of every page behind the log-in: the bar in the colour of the mode, the navigation, and the page. */
export function ModeLayout() {
  const mode = useMode();
  const { account } = useMe();
  const [opened, { toggle, close }] = useDisclosure();
  useEndedSession();
  const main = useFocusOnNewPage(close);
  const locked = mode === 'live' && !account.live_enabled;
  useAccent(mode);
  return (
    <AppShell
      layout="alt"
      header={{ height: 82 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <a className="skip" href="#main">
          Skip to the page
        </a>
        <ModeBar />
        <Group h={56} px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close the menu' : 'Open the menu'}
            aria-expanded={opened}
          />
          <Search />
          <Group gap={4} wrap="nowrap">
            <ModeSwitch />
            <AccountBar />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className="side" aria-label="Pages">
        <div className="side-head">
          <Logo />
          <AccountSwitch />
          <CloseButton onClick={close} hiddenFrom="sm" ml="auto" aria-label="Close the menu" />
        </div>
        <AppShell.Section grow className="side-pages">
          <Navigation />
        </AppShell.Section>
        <AppShell.Section className="side-foot">
          <a href="/docs">
            <IconBook size={18} stroke={1.6} aria-hidden="true" /> Documentation
          </a>
          <Group gap={4} hiddenFrom="sm">
            <OwnButtons />
          </Group>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} ref={main}>
        <OfflineBar />
        <Suspense fallback={null}>
          <IncidentBanner />
        </Suspense>
        <Suspense fallback={<Loading label="page" />}>{locked ? <LiveLocked /> : <Outlet />}</Suspense>
      </AppShell.Main>
    </AppShell>
  );
}

/** One accent for test, one where money is real, one where somebody looks after the platform. */
function useAccent(mode: Mode) {
  const { pathname } = useLocation();
  const accent = isOfPlatform(pathname.split('/')[2] ?? '') ? 'platform' : mode;
  useLayoutEffect(() => {
    document.documentElement.dataset.accent = accent;
  }, [accent]);
}

/** Elsewhere signed out, or idle for too long: what is shown goes, and the log-in knows the way back. */
function useEndedSession() {
  const { error } = useQuery(meQuery);
  const navigate = useNavigate();
  const { href } = useLocation();
  const isEnded = error instanceof Problem && error.status === 401;
  useEffect(() => {
    if (isEnded && !isLeaving()) void navigate({ to: '/log-in', search: { next: href }, reloadDocument: true });
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
