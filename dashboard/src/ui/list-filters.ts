import { type FilterField } from './filters';
import { useFilters } from './use-filters';
import { dayStartIn } from './time';
import { useTimeZone } from './use-time-zone';

/** Whether somebody has to look at it. */
export const REVIEW_FILTER: FilterField = {
  name: 'needs_review',
  label: 'Review',
  options: [
    { value: 'true', label: 'needs review' },
    { value: 'false', label: 'needs none' },
  ],
};

/** From the beginning of a day to the end of one. */
export const DAY_FILTERS: readonly FilterField[] = [
  { name: 'from', label: 'From day', type: 'date' },
  { name: 'to', label: 'To day', type: 'date' },
];

/** A choice of yes and no. */
export const flagOf = (word: string | undefined): boolean | undefined =>
  word === undefined ? undefined : word === 'true';

/** The days of the address as the moments at which they begin and end, and whether the zone in which they do is known. */
export function useDays() {
  const { from, to } = useFilters();
  const timeZone = useTimeZone();
  const zone = timeZone ?? 'UTC';
  const days = { created_gte: dayStartIn(zone, from), created_lt: dayStartIn(zone, to, 1) };
  return { days, isZoneKnown: timeZone !== undefined };
}

/** Whether a list is less than everything. */
export const isNarrowed = (wanted: object): boolean =>
  Object.values(wanted).some((value) => value !== undefined && value !== '');
