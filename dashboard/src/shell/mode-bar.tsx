import { useOutages, useTestClock } from '../session/use-sandbox';
import { AnchorLink } from '../ui/links';
import { timeTextIn } from '../ui/time';
import { useMode } from '../ui/use-mode';
import { useTimeZone } from '../ui/use-time-zone';

/** The colour of the mode, and what money, time and providers are in it: a moved clock and an outage matter on every page. */
export function ModeBar() {
  const mode = useMode();
  const clock = useTestClock();
  const outages = useOutages();
  const timeZone = useTimeZone() ?? 'UTC';
  const states = [
    ...(clock && clock.offset_seconds > 0 ? [`its clock is at ${timeTextIn(timeZone, clock.now)}`] : []),
    ...outages.map(({ provider, mode: outage }) => `${provider} is ${outage}`),
  ];
  return (
    <div className={`mode-bar mode-${mode}`} data-changed={states.length > 0 || undefined}>
      {mode === 'live' ? (
        <span>Live: real money</span>
      ) : (
        <span className="mode-states">Test mode: {states.join(' · ') || 'no real money moves'}</span>
      )}
      {states.length > 0 && (
        <AnchorLink to="/$mode/sandbox" params={{ mode: 'test' }} size="xs" c="inherit" underline="always">
          Sandbox
        </AnchorLink>
      )}
    </div>
  );
}
