import { Box, Text } from '@mantine/core';
import { moneyText } from '../ui/money';
import { StatusBadge } from '../ui/status-badge';
import { shortTimeIn } from '../ui/time';
import { useTimeZone } from '../ui/use-time-zone';
import type { Answer, Entry } from './search-entries';

interface OptionProps {
  readonly entry: Entry;
  readonly id: string;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: (inNewTab: boolean) => void;
}

/** A line that can be chosen. */
export function Option({ entry: { title, note, hit, place, run }, id, isActive, onPoint, onChoose }: OptionProps) {
  const timeZone = useTimeZone();
  return (
    // Keys go to the field, which says which option is meant.
    <Box
      id={id}
      role="option"
      aria-selected={isActive}
      className="search-option"
      onMouseMove={onPoint}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      <span className="search-what">{title}</span>
      {hit && hit.amount !== null && hit.currency && (
        <span className="search-amount">{moneyText(hit.amount, hit.currency)}</span>
      )}
      {(note || (!place && !run)) && (
        <span className="search-who">{!place && !run ? `${note} · copy the id` : note}</span>
      )}
      {hit && (
        <span className="search-state">
          {hit.status && <StatusBadge status={hit.status} />}
          {timeZone && shortTimeIn(timeZone, hit.created_at)}
        </span>
      )}
    </Box>
  );
}

/** How much was found, for who listens, too, and where was not looked. */
export function Foot({
  isPending,
  count,
  typed,
  answer,
}: {
  isPending: boolean;
  count: number;
  typed: string;
  answer: Answer | undefined;
}) {
  const many = answer?.looked_through ?? [];
  const bounds = many.map(
    ({ type, newest }) => `the newest ${newest.toLocaleString('en')} of “${type.replaceAll('_', ' ')}”`,
  );
  return (
    <div className="search-foot">
      <Text size="sm" role="status">
        {isPending ? '' : count === 0 ? `Nothing found for “${typed}”.` : `${count} ${count === 1 ? 'line' : 'lines'}`}
      </Text>
      {bounds.length > 0 && <Text size="xs">Parts and amounts were looked for in {bounds.join(', ')}.</Text>}
      {answer && !answer.complete && (
        <Text size="xs">Parts and amounts took too long: only what is exactly so was found.</Text>
      )}
    </div>
  );
}
