import { useQuery } from '@tanstack/react-query';
import { bodyOf, publicApi } from '../api/public-api';
import { useMay } from '../session/use-may';
import { timeText } from '../ui/time';
import { useMode } from '../ui/use-mode';

const ASKED_AGAIN_MS = 30_000;

/** The colour of the mode, and what money and time are in it: all times of test mode are those of the account's clock. */
export function ModeBar() {
  const mode = useMode();
  const { hasScope } = useMay();
  const { data: clock } = useQuery({
    queryKey: ['test', 'clock'],
    queryFn: () => bodyOf(publicApi('test').GET('/v4/sandbox/clock')),
    enabled: mode === 'test' && hasScope('purchases:read'),
    refetchInterval: ASKED_AGAIN_MS,
  });
  const isMoved = mode === 'test' && clock !== undefined && clock.offset_seconds > 0;
  return (
    <div className={`mode-bar mode-${mode}`}>
      <span>
        {mode === 'live'
          ? 'Live: real money'
          : isMoved
            ? `Test mode: its clock is at ${timeText(clock.now)}`
            : 'Test mode: no real money moves'}
      </span>
    </div>
  );
}
