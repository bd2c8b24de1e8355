import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { dashboardApi, type DashboardSchemas } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';
import { useMe } from '../session/session';
import { AnchorLink, IdLink } from '../ui/links';
import { ProblemAlert } from '../ui/problem-alert';
import { useAction } from '../ui/use-action';
import { useLivemode, useMode } from '../ui/use-mode';
import { Ago } from '../ui/when';
import '../styles/live.css';

type Notice = DashboardSchemas['Notice'];

const WORDS: Readonly<Record<Notice['kind'], string>> = {
  endpoint_failing: 'Webhook endpoint fails',
  endpoint_disabled: 'Webhook endpoint was disabled',
  endpoint_recovered: 'Webhook endpoint works again',
  transactions_in_review: 'Transactions wait for a review',
  payments_in_review: 'Payments wait for a review',
  wallet_low: 'Wallet is below its threshold',
  key_expires: 'API key ends within a week',
  key_unused: 'API key was not used for 90 days',
  payout_awaits_approval: 'Payout waits for your approval',
  refund_awaits_approval: 'Refund waits for your approval',
  batch_ended: 'Batch ended',
};

/** What needs somebody, with a count of what is unread. */
export default function Notices() {
  const mode = useMode();
  const livemode = useLivemode();
  const { account } = useMe();
  const isOpen = !livemode || account.live_enabled;
  const [opened, { open, close }] = useDisclosure();
  const { pathname } = useLocation();
  // A line was followed.
  useEffect(close, [pathname, close]);
  const { data, error } = useQuery({
    queryKey: [mode, 'notices'],
    queryFn: () => bodyOf(dashboardApi.GET('/notices', { params: { query: { livemode } } })),
    enabled: isOpen,
  });
  if (!isOpen) return null;
  const unread = data?.unread ?? 0;
  const name = unread === 0 ? 'Notifications' : `Notifications: ${unread} unread`;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        className="notices-bell"
        aria-label={name}
        title={name}
        onClick={open}
      >
        <IconBell size={18} stroke={1.6} aria-hidden="true" />
        {unread > 0 && (
          <span className="notices-count" aria-hidden="true">
            {unread}
          </span>
        )}
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Notifications">
        <Stack gap="xs">
          <ProblemAlert error={error} />
          {unread > 0 && <MarkRead until={data?.data[0]?.at} />}
          {data?.data.length === 0 && <Text c="dimmed">Nothing needs you.</Text>}
          <ul className="notices">
            {data?.data.map((notice) => (
              <Line key={`${notice.kind} ${notice.object} ${notice.at}`} notice={notice} />
            ))}
          </ul>
        </Stack>
      </Modal>
    </>
  );
}

function MarkRead({ until = '' }: { until?: string }) {
  const livemode = useLivemode();
  const read = useAction(
    () => dashboardApi.POST('/notices/read', { params: { query: { livemode } }, body: { until } }),
    'All are read.',
  );
  return (
    <Group justify="flex-end">
      <Button size="xs" variant="default" loading={read.isPending} onClick={() => read.mutate(undefined)}>
        Mark all read
      </Button>
    </Group>
  );
}

function Line({ notice: { kind, object, name, count, at, unread } }: { notice: Notice }) {
  return (
    <li data-unread={unread}>
      <Text size="sm" fw="inherit">
        {unread && <span className="visually-hidden">Unread: </span>}
        {WORDS[kind]}
        {count > 1 && ` (${count})`}
      </Text>
      {name && (
        <Text size="sm" c="dimmed" truncate title={name}>
          {name}
        </Text>
      )}
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Where kind={kind} object={object} />
        <Text size="xs" c="dimmed">
          <Ago at={at} />
        </Text>
      </Group>
    </li>
  );
}

/** Where a notice leads. */
function Where({ kind, object }: Pick<Notice, 'kind' | 'object'>) {
  const mode = useMode();
  const params = { mode };
  if (kind === 'transactions_in_review')
    return (
      <AnchorLink size="sm" to="/$mode/transactions" params={params} search={{ needs_review: 'true' }}>
        See them
      </AnchorLink>
    );
  if (kind === 'payments_in_review')
    return (
      <AnchorLink size="sm" to="/$mode/payments" params={params}>
        See payments
      </AnchorLink>
    );
  if (kind === 'key_expires' || kind === 'key_unused')
    return (
      <AnchorLink size="sm" to="/$mode/keys" params={params}>
        See keys
      </AnchorLink>
    );
  return <IdLink id={object} />;
}
