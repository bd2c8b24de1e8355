import { shortTimeIn, timeText, timeTextIn } from './time';
import { useTimeZone } from './use-time-zone';

/** A moment by the clocks of the account; UTC where it is pointed at. */
export function ZonedTime({ at }: { at: string | null | undefined }) {
  const timeZone = useTimeZone() ?? 'UTC';
  if (!at) return <>–</>;
  return (
    <time dateTime={at} title={timeText(at)}>
      <span className="long-time">{timeTextIn(timeZone, at)}</span>
      <span className="short-time">{shortTimeIn(timeZone, at)}</span>
    </time>
  );
}
