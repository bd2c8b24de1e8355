import { Link } from '@tanstack/react-router';
import { useMode } from '../../ui/use-mode';
import '../../styles/cards.css';

const TABS = [
  ['/$mode/cards', 'Cards', true],
  ['/$mode/cards/customers', 'Customers', false],
  ['/$mode/cards/transactions', 'Card transactions', false],
  ['/$mode/cards/disputes', 'Disputes', false],
] as const;

/** What belongs to cards, each with an address of its own. */
export function CardsTabs() {
  const mode = useMode();
  return (
    <nav className="tabs" aria-label="Cards">
      {TABS.map(([to, label, exact]) => (
        <Link key={to} to={to} params={{ mode }} activeOptions={{ exact, includeSearch: false }}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
