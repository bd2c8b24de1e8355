import { useLocation } from '@tanstack/react-router';
import { AnchorLink } from '../ui/links';
import { useMode } from '../ui/use-mode';

const MODES = ['test', 'live'] as const;

/** Leads to the same page of the other world; to its list, from a page of one thing that exists in this world only. */
export function ModeSwitch() {
  const current = useMode();
  const { pathname } = useLocation();
  const page = pathname.split('/')[2] ?? '';
  return (
    <nav className="segments" aria-label="Mode">
      {MODES.map((mode) => (
        <AnchorLink
          key={mode}
          to={`/${mode}/${page === 'deliveries' ? 'webhooks' : page}` as '/$mode'}
          params={{ mode }}
          aria-current={mode === current ? 'true' : undefined}
          underline="never"
        >
          {mode === 'test' ? 'Test' : 'Live'}
        </AnchorLink>
      ))}
    </nav>
  );
}
