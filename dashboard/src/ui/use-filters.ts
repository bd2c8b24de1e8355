import { useSearch } from '@tanstack/react-router';

/** What the address of the page filters by. */
export const useFilters = (): Readonly<Record<string, string | undefined>> => useSearch({ strict: false });
