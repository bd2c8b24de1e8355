import { useSyncExternalStore } from 'react';

/** What happened, as the stream tells it. */
export interface LiveEvent {
  readonly id: string;
  readonly type: string;
  readonly object: string;
}

export interface LiveState {
  /** `lost`: it tries again by itself. `off`: there is nothing to watch. */
  readonly status: 'off' | 'live' | 'paused' | 'lost';
  /** Since when nothing is heard, while `lost` or `paused`; null: nothing was yet. */
  readonly since: Date | null;
}

type Hear = (events: readonly LiveEvent[]) => void;

let state: LiveState = { status: 'off', since: null };
const onChange = new Set<() => void>();
const hearers = new Set<Hear>();

/** Where the stream tells what it hears, and how it is. */
export const live = {
  get: (): LiveState => state,
  set(next: LiveState): void {
    if (next.status === state.status && next.since === state.since) return;
    state = next;
    for (const change of onChange) change();
  },
  tell(events: readonly LiveEvent[]): void {
    for (const hear of hearers) hear(events);
  },
};

const subscribe = (change: () => void) => {
  onChange.add(change);
  return () => void onChange.delete(change);
};

export const useLive = (): LiveState => useSyncExternalStore(subscribe, live.get);

/** What is told at once need not be asked for again and again. */
export const useIsLive = (): boolean => useLive().status === 'live';

/** Until the answer is called, `hear` is told of what happens in the mode that is shown. */
export function onLiveEvents(hear: Hear): () => void {
  hearers.add(hear);
  return () => void hearers.delete(hear);
}
