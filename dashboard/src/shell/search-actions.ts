import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { dashboardApi } from '../api/dashboard-api';
import { useMay, useMayWriteKeys } from '../session/use-may';
import { useMode } from '../ui/use-mode';
import { usePagesOffered } from './navigation';
import type { Entry } from './search-entries';

const NEW = { new: '1' };

/** What the role may begin from anywhere. */
export function useActions(onHelp: () => void): readonly Entry[] {
  const mode = useMode();
  const { hasScope } = useMay();
  const mayWriteKeys = useMayWriteKeys();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  const other = mode === 'test' ? 'live' : 'test';
  const form = (title: string, page: string) => ({
    key: title,
    title,
    place: { path: `/${mode}/${page}`, search: NEW },
  });
  const isTest = mode === 'test' && hasScope('sandbox:write');
  return [
    ...(mayWriteKeys ? [form('New key', 'keys')] : []),
    ...(isTest && hasScope('wallets:write') ? [form('Send test money', '')] : []),
    ...(hasScope('webhooks:write') ? [form('New endpoint', 'webhooks')] : []),
    ...(hasScope('cards:write') ? [form('Issue a card', 'cards')] : []),
    ...(hasScope('payments:write') ? [form('Ask for a payment', 'payments')] : []),
    ...(hasScope('wallets:write') ? [form('New wallet', 'wallets')] : []),
    ...(isTest ? [{ key: 'clock', title: 'Move the clock', place: { path: '/test/sandbox', hash: 'clock' } }] : []),
    { key: 'mode', title: `Switch to ${other} mode`, place: { path: `/${other}` } },
    { key: 'colours', title: `Use ${scheme} colours`, run: () => setColorScheme(scheme) },
    { key: 'help', title: 'Show the keys', note: '?', run: onHelp },
    { key: 'sign-out', title: 'Sign out', run: () => void signOut() },
  ];
}

export function usePageEntries(): readonly Entry[] {
  const mode = useMode();
  return usePagesOffered().flatMap(({ title, pages }) =>
    pages.map(({ page, label }) => ({
      key: `page ${page}`,
      title: label,
      note: title,
      place: { path: `/${mode}/${page}` },
    })),
  );
}

async function signOut() {
  await dashboardApi.POST('/auth/log-out');
  // A whole new document: nothing of what was read stays in memory.
  location.assign('/dashboard/log-in');
}
