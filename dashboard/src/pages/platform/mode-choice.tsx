import { AnchorLink } from '../../ui/links';

const MODES = ['live', 'test'] as const;

interface ModeChoiceProps {
  /** What has the two modes. */
  readonly of: string;
  readonly current: string;
  /** What else the address says. */
  readonly search?: object;
}

/** Which of the two modes is looked at, whichever one the address begins with. */
export function ModeChoice({ of, current, search = {} }: ModeChoiceProps) {
  return (
    <nav className="segments" aria-label={`Mode of the ${of}`}>
      {MODES.map((mode) => (
        <AnchorLink
          key={mode}
          to="."
          search={{ ...search, of: mode } as never}
          aria-current={mode === current ? 'true' : undefined}
          underline="never"
        >
          {mode === 'live' ? 'Live' : 'Test'}
        </AnchorLink>
      ))}
    </nav>
  );
}
