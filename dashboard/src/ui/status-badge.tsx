import { Badge } from '@mantine/core';

type Tone = 'good' | 'bad' | 'busy' | 'wait' | 'quiet';

const TONES: Readonly<Record<string, Tone>> = {
  successful: 'good',
  active: 'good',
  delivered: 'good',
  enabled: 'good',
  available: 'good',
  'on sale': 'good',
  imported: 'good',
  answers: 'good',
  away: 'bad',
  'no provider': 'bad',
  'not on sale': 'wait',
  settled: 'good',
  ready: 'good',
  verified: 'good',
  'in order': 'good',
  'not in order': 'bad',
  won: 'good',
  lost: 'bad',
  rejected: 'bad',
  'under review': 'busy',
  failed: 'bad',
  exhausted: 'bad',
  aborted: 'bad',
  blocked: 'bad',
  declined: 'bad',
  revoked: 'bad',
  expired: 'bad',
  Unhealthy: 'bad',
  missing: 'bad',
  low: 'wait',
  pending: 'busy',
  processing: 'busy',
  running: 'busy',
  waiting: 'busy',
  retrying: 'wait',
  authorized: 'busy',
  frozen: 'wait',
  rolled: 'wait',
  unused: 'wait',
};

/** A state, by its word; the colour only repeats it. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge className={`tone tone-${TONES[status] ?? 'quiet'}`}>{status}</Badge>;
}

/** That it waits for a person, beside its state. */
export const NeedsReview = () => <Badge className="tone tone-bad">needs review</Badge>;

/** Instead of its state: a second person has to let it go. */
export const AwaitsApproval = () => <Badge className="tone tone-busy">awaits approval</Badge>;
