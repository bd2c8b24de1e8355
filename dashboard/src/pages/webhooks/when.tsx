import { useAheadMs } from '../../session/use-clock';
import { agoText, timeText, timeTextIn } from '../../ui/time';
import { useTimeZone } from '../../ui/use-time-zone';

/** "3 minutes ago (25 Nov 2026, 18:42:07)" by the clocks of the account's zone; UTC on hover. */
export function When({ at }: { at: string | null | undefined }) {
  const aheadMs = useAheadMs();
  const zone = useTimeZone();
  if (!at) return <>–</>;
  return (
    <time dateTime={at} title={timeText(at)}>
      {agoText(at, aheadMs)}
      {zone && ` (${timeTextIn(zone, at)})`}
    </time>
  );
}
