import { Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { Facts } from '../../ui/facts';
import { ProblemAlert } from '../../ui/problem-alert';
import { useLivemode, useMode } from '../../ui/use-mode';
import { When } from '../../ui/when';
import { Decide } from './decide';

const TOLD = {
  awaiting: 'waits for a second person',
  approved: 'was let go by a second person',
  declined: 'was declined',
  expired: 'expired: nobody decided in time',
  cancelled: 'was cancelled before anybody decided',
} as const satisfies Readonly<Record<Schemas['Approval']['status'], string>>;

interface ApprovalOfProps {
  /** Of the transaction. */
  readonly id: string;
  readonly state: Schemas['Approval'];
  /** As the title calls it. */
  readonly what?: string;
}

/** Who asked for it and who decided, and the decision where it is this person's. */
export function ApprovalOf({ id, state, what = 'It' }: ApprovalOfProps) {
  const mode = useMode();
  const livemode = useLivemode();
  const titleId = useId();
  const { hasPermission } = useMay();
  const { data, error } = useQuery({
    queryKey: [mode, 'approval', id, state.status],
    queryFn: () => bodyOf(dashboardApi.GET('/approvals/{id}', { params: { path: { id }, query: { livemode } } })),
  });
  const person = (somebody: { name: string; email: string } | null) =>
    somebody && `${somebody.name}, ${somebody.email}`;
  const waits = state.status === 'awaiting';
  return (
    <section aria-labelledby={titleId}>
      <Stack gap="xs">
        <Title order={2} size="h4" id={titleId}>
          {what} {TOLD[state.status]}
        </Title>
        <ProblemAlert error={error} />
        {data && (
          <Facts
            items={[
              ['Asked for by', person(data.made_by) ?? 'an API key'],
              ['Decided by', person(data.decided_by)],
              ['Decided', <When key="decided" at={data.decided_at} />],
              ['Reason', data.reason],
              ...(waits ? [['Cancelled by itself', <When key="until" at={state.expires_at} />] as const] : []),
            ]}
          />
        )}
        {data && waits && hasPermission('approvals:decide') && <Decide approval={data} />}
      </Stack>
    </section>
  );
}
