import { useQuery } from '@tanstack/react-query';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useIsLive } from '../../session/live-state';
import { useAheadMs } from '../../session/use-sandbox';
import { useLivemode, useMode } from '../../ui/use-mode';

export type StoryOf = DashboardSchemas['Story'];
export type StoryStep = DashboardSchemas['StoryStep'];

const POLL_MS = 2_000;
/** So long after its last step a story may go on by itself: webhooks are on their way. */
const FRESH_MS = 15_000;

/** What happened around an id. Read again while it goes on. */
export function useStory(id: string, running = false) {
  const mode = useMode();
  const livemode = useLivemode();
  const aheadMs = useAheadMs();
  const isLive = useIsLive();
  return useQuery({
    queryKey: [mode, 'story', id, running],
    queryFn: () => bodyOf(dashboardApi.GET('/stories/{id}', { params: { path: { id }, query: { livemode } } })),
    refetchInterval: (query) => ((running && !isLive) || isFresh(query.state.data, aheadMs) ? POLL_MS : false),
  });
}

function isFresh(story: StoryOf | undefined, aheadMs: number): boolean {
  const last = story?.steps.at(-1);
  return last !== undefined && Date.parse(last.at) - aheadMs > Date.now() - FRESH_MS;
}
