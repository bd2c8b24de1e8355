import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay, useMayWriteKeys } from '../../session/use-may';
import { ConfirmButton } from '../../ui/confirm-button';
import { PagedTable } from '../../ui/data-table';
import { AnchorLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { StatusBadge } from '../../ui/status-badge';
import { useLivemode, useMode } from '../../ui/use-mode';
import { useNewForm } from '../../ui/use-new-form';
import { usePages } from '../../ui/use-pages';
import { Ago, When } from '../../ui/when';
import { NewKeyForm } from './new-key-form';
import { NewSecret } from './new-secret';
import { RollKeyForm } from './roll-key-form';

type ApiKey = DashboardSchemas['Key'];
type NewKey = DashboardSchemas['NewKey'];

export function KeysPage() {
  const mode = useMode();
  const livemode = useLivemode();
  const mayWrite = useMayWriteKeys();
  const [creating, { open, close }] = useNewForm();
  const [rolling, setRolling] = useState<ApiKey | null>(null);
  const [made, setMade] = useState<NewKey | null>(null);
  const keys = usePages([mode, 'keys'], (cursor) =>
    bodyOf(dashboardApi.GET('/keys', { params: { query: { livemode, cursor } } })),
  );
  const show = (key: NewKey) => {
    close();
    setRolling(null);
    setMade(key);
  };
  return (
    <>
      <PageHead title="API keys">{mayWrite && <Button onClick={open}>New key</Button>}</PageHead>
      <Stack>
        <Text size="sm" c="dimmed">
          A program proves with a key that it may act for this account. Give each program its own, with the scopes that
          it needs.
        </Text>
        {made && <NewSecret made={made} onClose={() => setMade(null)} />}
        <Keys keys={keys} onRoll={setRolling} />
      </Stack>
      <Modal opened={creating} onClose={close} title={`New ${mode} key`}>
        <NewKeyForm onMade={show} />
      </Modal>
      <Modal opened={rolling !== null} onClose={() => setRolling(null)} title={`Roll “${rolling?.name ?? ''}”`}>
        {rolling && <RollKeyForm apiKey={rolling} onMade={show} />}
      </Modal>
    </>
  );
}

function Keys({ keys, onRoll }: { keys: ReturnType<typeof usePages<ApiKey>>; onRoll: (key: ApiKey) => void }) {
  const mayWrite = useMayWriteKeys();
  return (
    <PagedTable
      caption="API keys"
      list={keys}
      keyOf={({ id }) => id}
      empty="No keys in this mode yet."
      columns={[
        { title: 'Name', cell: ({ name }) => name },
        { title: 'Key', cell: ({ prefix, last4 }) => <span className="id">{`${prefix}…${last4}`}</span> },
        { title: 'State', cell: (key) => <StatusBadge status={stateOf(key)} /> },
        { title: 'May', cell: ({ scopes }) => scopes?.join(', ') ?? 'everything' },
        {
          title: 'From',
          cell: ({ allowed_ips }) => (allowed_ips === null ? 'anywhere' : allowed_ips.join(', ') || 'nowhere'),
        },
        { title: 'Expires', cell: ({ expires_at }) => (expires_at ? <When at={expires_at} /> : 'never') },
        { title: 'Last used', cell: (key) => <LastUse apiKey={key} /> },
        { title: 'Actions', hidden: !mayWrite, cell: (key) => <KeyActions apiKey={key} onRoll={onRoll} /> },
      ]}
    />
  );
}

const UNUSED_MS = 90 * 86_400_000;

const isUnused = (key: ApiKey): boolean =>
  stateOf(key) === 'active' && Date.now() - Date.parse(key.last_used_at ?? key.created_at) > UNUSED_MS;

/** When it was used, with its requests; a key that nobody uses is one that may leak for nothing. */
function LastUse({ apiKey }: { apiKey: ApiKey }) {
  const mode = useMode();
  const { hasPermission } = useMay();
  const { id, last_used_at } = apiKey;
  return (
    <Group gap="xs">
      <Ago at={last_used_at} />
      {isUnused(apiKey) && <StatusBadge status="unused" />}
      {last_used_at && hasPermission('requests') && (
        <AnchorLink to="/$mode/requests" params={{ mode }} search={{ key_id: id } as never} size="sm">
          Requests
        </AnchorLink>
      )}
    </Group>
  );
}

/** Rolled: another took its place, and it works until it expires. */
function stateOf({ revoked_at, expires_at, rolled_to }: ApiKey): string {
  if (revoked_at && Date.parse(revoked_at) <= Date.now()) return 'revoked';
  if (expires_at && Date.parse(expires_at) <= Date.now()) return 'expired';
  return rolled_to === null ? 'active' : 'rolled';
}

function KeyActions({ apiKey, onRoll }: { apiKey: ApiKey; onRoll: (key: ApiKey) => void }) {
  const state = stateOf(apiKey);
  if (state !== 'active' && state !== 'rolled') return '–';
  return (
    <Group gap="xs">
      {state === 'active' && (
        <Button variant="default" size="xs" onClick={() => onRoll(apiKey)} aria-label={`Roll ${apiKey.name}`}>
          Roll
        </Button>
      )}
      <ConfirmButton
        label="Revoke"
        aria-label={`Revoke ${apiKey.name}`}
        question={`Revoke “${apiKey.name}”?`}
        explanation="Within a second every request with this key is refused. It cannot be taken back."
        done="The key is revoked."
        work={() => dashboardApi.POST('/keys/{id}/revoke', { params: { path: { id: apiKey.id } } })}
      />
    </Group>
  );
}
