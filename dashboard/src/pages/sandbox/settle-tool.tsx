import { NativeSelect, TextInput } from '@mantine/core';
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

export function SettleTool() {
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
      <TextInput name="id" label="Transaction" placeholder="txn_…" required />
      <NativeSelect name="status" label="As" data={[...STATUSES]} />
    </Tool>
  );
}
