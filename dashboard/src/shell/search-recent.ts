import { useState } from 'react';
import { useMe } from '../session/session';
import type { Place } from './search-entries';

/** What was opened from the search, in this tab. */
export interface Recent {
  readonly id: string;
  readonly title: string;
  readonly note: string;
  readonly place: Place;
}

const MAX = 6;

/** Newest first; of this person and account only, and gone with the tab. */
export function useRecent() {
  const { user, account } = useMe();
  const name = `duka:recent:${account.id}:${user.id}`;
  const [recent] = useState(() => read(name));
  const remember = (opened: Recent) => {
    const kept = [opened, ...recent.filter(({ id }) => id !== opened.id)].slice(0, MAX);
    try {
      sessionStorage.setItem(name, JSON.stringify(kept));
    } catch {
      // Storage may be forbidden or full: then nothing is remembered.
    }
  };
  return { recent, remember };
}

function read(name: string): readonly Recent[] {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? '[]') as Recent[];
  } catch {
    return [];
  }
}
