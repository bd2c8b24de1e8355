import { useTimeZone } from './use-time-zone';
import { agoText, shortTimeIn, timeText, timeTextIn } from './time';

/**
 * A moment by the clocks that the page shows (the account's zone, or UTC), shorter in a narrow window; how long ago and
 * UTC are told where it is pointed at. `aheadMs`: how far the clock that it is of is ahead.
 */
export function When({ at, aheadMs = 0 }: { at: string | null | undefined; aheadMs?: number }) {
  const timeZone = useTimeZone();
  if (!at) return <>–</>;
  return (
    <time className="when" dateTime={at} title={`${agoText(at, aheadMs)} · ${timeText(at)}`}>
      {timeZone && (
        <>
          <span className="long-time">{timeTextIn(timeZone, at)}</span>
          <span className="short-time">{shortTimeIn(timeZone, at)}</span>
        </>
      )}
    </time>
  );
}

/** "3 minutes ago"; the moment itself where it is pointed at. */
export function Ago({ at, aheadMs = 0 }: { at: string | null | undefined; aheadMs?: number }) {
  const timeZone = useTimeZone();
  if (!at) return <>never</>;
  const exact = timeZone && timeZone !== 'UTC' ? `${timeTextIn(timeZone, at)} · ${timeText(at)}` : timeText(at);
  return (
    <time className="when" dateTime={at} title={exact}>
      {agoText(at, aheadMs)}
    </time>
  );
}
