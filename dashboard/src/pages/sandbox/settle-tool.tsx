import { NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { IdLink } from '../../ui/links';
import { StatusBadge } from '../../ui/status-badge';
import { Tool } from './tool';

const api = publicApi('test');
const STATUSES = [
  'successful',
  'failed',
  'reversed',
] as const satisfies readonly Schemas['SettleTransaction']['status'][];

/** Those that run, to be picked. */
const RUNNING = { status: 'pending,processing', limit: 50 } as const;

export function SettleTool() {
  const running = useQuery({
    queryKey: ['test', 'transactions', RUNNING],
    queryFn: () => bodyOf(api.GET('/v4/transactions', { params: { query: RUNNING } })),
  });
  return (
    <Tool
      title="Settle a transaction"
      text="Says the provider’s last word on a purchase."
      button="Settle"
      run={({ id = '', status }, key) =>
        bodyOf(
          api.POST('/v4/sandbox/transactions/{id}/settle', {
            params: { path: { id }, header: { 'Idempotency-Key': key } },
            body: { status: status as (typeof STATUSES)[number] },
          }),
        )
      }
      done={() => 'Settled.'}
      result={({ id, status }) => (
        <>
          <IdLink id={id} /> <StatusBadge status={status} />
        </>
      )}
    >
      <TextInput
        name="id"
        label="Transaction"
        description={`Pick one of ${running.data?.data.length ?? 0} that run, or paste an id`}
        placeholder="txn_…"
        required
        list="running-transactions"
        autoComplete="off"
      />
      <datalist id="running-transactions">
        {running.data?.data.map(({ id, type, amount_display, recipient }) => (
          <option key={id} value={id}>
            {[type?.replaceAll('_', ' '), amount_display, recipient].filter(Boolean).join(' · ')}
          </option>
        ))}
      </datalist>
      <NativeSelect name="status" label="As" data={[...STATUSES]} />
    </Tool>
  );
}
