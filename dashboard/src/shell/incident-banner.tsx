import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DashboardSchemas } from '../api/dashboard-api';

/** As everybody may read it. */
type Incident = Omit<DashboardSchemas['ToldIncident'], 'people'>;

const REFRESH_MS = 60_000;

/** The public page's own answer, without the session: looking at it keeps nobody logged in. */
async function openIncidents(): Promise<readonly Incident[]> {
  const response = await fetch('/status.json', { credentials: 'omit', cache: 'no-cache' });
  if (!response.ok) throw new Error(`/status.json: ${response.status}`);
  const { data } = (await response.json()) as { data: readonly Incident[] };
  return data.filter(({ ended_at }) => ended_at === null);
}

/** What goes on at the platform, on every page. What somebody closed comes back when there is news of it. */
export default function IncidentBanner() {
  const [closed, setClosed] = useState(0);
  const { data = [] } = useQuery({
    queryKey: ['status'],
    queryFn: openIncidents,
    refetchInterval: REFRESH_MS,
    staleTime: REFRESH_MS,
    retry: false,
  });
  const shown = data.filter(({ id, updated_at }) => localStorage.getItem(placeOf(id)) !== updated_at);
  return shown.map(({ id, title, state, updates, updated_at }) => (
    <Alert
      key={`${id} ${closed}`}
      role="status"
      color="yellow"
      variant="outline"
      mb="md"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      title={`${title}: ${state}`}
      withCloseButton
      closeButtonLabel={`Close: ${title}`}
      onClose={() => {
        localStorage.setItem(placeOf(id), updated_at);
        setClosed(closed + 1);
      }}
    >
      <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
        {updates[0]?.note}
      </Text>
      <Anchor size="sm" href="/status" target="_blank">
        All that is known
      </Anchor>
    </Alert>
  ));
}

const placeOf = (id: string): string => `incident ${id}`;
