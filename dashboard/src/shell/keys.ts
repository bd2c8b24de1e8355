import { useWindowEvent } from '@mantine/hooks';
import { useRef } from 'react';

/** After `g`: the page of a letter. */
export const PAGE_KEYS: Readonly<Record<string, string>> = {
  h: '',
  t: 'transactions',
  w: 'wallets',
  c: 'cards',
  p: 'payments',
  k: 'keys',
  d: 'webhooks',
  e: 'events',
  r: 'requests',
  s: 'sandbox',
  m: 'team',
  a: 'audit-log',
};

const OFF = 'duka:keys-off';
/** Between `g` and the letter. */
const SEQUENCE_MS = 1_500;

/** Keys of one letter disturb who speaks to the computer: they can be switched off. Ctrl-K always works. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    // Storage may be forbidden.
    return true;
  }
}

export function switchKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
  } catch {
    // Then they stay on.
  }
}

interface Handlers {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
  readonly onPage: (page: string) => void;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null;

/** Ctrl-K anywhere; single keys where nobody types and no dialog is open. */
export function useKeys(handlers: Handlers): void {
  const begunAt = useRef(-SEQUENCE_MS);
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'k' || event.shiftKey) return;
      event.preventDefault();
      if (!isDialogOpen()) handlers.onSearch();
      return;
    }
    if (isField(event.target) || isDialogOpen() || !areKeysOn()) return;
    const isSecond = event.timeStamp - begunAt.current < SEQUENCE_MS;
    begunAt.current = event.key === 'g' && !isSecond ? event.timeStamp : -SEQUENCE_MS;
    const page = isSecond ? PAGE_KEYS[event.key] : undefined;
    const act = page === undefined ? ACTS[event.key] : () => handlers.onPage(page);
    if (!act) return;
    event.preventDefault();
    act(handlers);
  });
}

const ACTS: Readonly<Record<string, (handlers: Handlers) => void>> = {
  '/': ({ onSearch }) => onSearch(),
  '?': ({ onHelp }) => onHelp(),
};
