import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { dashboardApi } from '../api/dashboard-api';
import { useMe } from '../session/session';

export function AccountBar() {
  const { user } = useMe();
  const { setColorScheme } = useMantineColorScheme();
  const next = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  async function logOut() {
    await dashboardApi.POST('/auth/log-out');
    // A whole new document: nothing of what was read stays in memory.
    location.assign('/dashboard/log-in');
  }
  return (
    <>
      <ActionIcon variant="default" size="md" onClick={() => setColorScheme(next)} aria-label={`Use ${next} colours`}>
        <span aria-hidden="true">{next === 'dark' ? '☾' : '☀'}</span>
      </ActionIcon>
      <Button variant="default" size="xs" onClick={() => void logOut()} title={user.email}>
        Log out
      </Button>
    </>
  );
}
