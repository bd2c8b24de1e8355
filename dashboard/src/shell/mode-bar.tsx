import { useTestClock } from '../session/use-clock';
import { timeText } from '../ui/time';
import { useMode } from '../ui/use-mode';

/** The colour of the mode, and what money and time are in it: all times of test mode are those of the account's clock. */
export function ModeBar() {
  const mode = useMode();
  const clock = useTestClock();
  const isMoved = clock !== undefined && clock.offset_seconds > 0;
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
