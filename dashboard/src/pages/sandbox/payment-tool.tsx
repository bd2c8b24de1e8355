import { NativeSelect, TextInput } from '@mantine/core';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { IdLink } from '../../ui/links';
import { StatusBadge } from '../../ui/status-badge';
import { Tool } from './tool';
import { useScenarios } from './use-scenarios';

const api = publicApi('test');

export function PaymentTool() {
  const { data } = useScenarios();
  return (
    <Tool
      title="Complete a payment"
      text="Ends a payment as a payer at the checkout page would."
      button="Complete"
      isRepeatable
      run={({ id = '', status = '' }) =>
        bodyOf(
          api.POST('/v4/sandbox/payments/{id}/complete', {
            params: { path: { id } },
            body: { status: status as Schemas['CompletePayment']['status'] },
          }),
        )
      }
      done={({ status }) => `The payment is ${status}.`}
      result={({ id, status }) => (
        <>
          <IdLink id={id} /> <StatusBadge status={status} />
        </>
      )}
    >
      <TextInput name="id" label="Payment" placeholder="pay_…" required />
      <NativeSelect
        name="status"
        label="As"
        data={
          data?.payments.map(({ outcome, description }) => ({ value: outcome, label: `${outcome}: ${description}` })) ??
          []
        }
      />
    </Tool>
  );
}
