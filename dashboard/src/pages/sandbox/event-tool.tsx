import { TextInput } from '@mantine/core';
import { bodyOf, publicApi, type Schemas } from '../../api/public-api';
import { IdLink } from '../../ui/links';
import { Tool } from './tool';

const api = publicApi('test');

export function EventTool() {
  return (
    <Tool
      title="Trigger an event"
      text="A sample of the type, sent to your webhooks like a real one."
      button="Trigger"
      run={({ type }, key) =>
        bodyOf(
          api.POST('/v4/sandbox/events/trigger', {
            params: { header: { 'Idempotency-Key': key } },
            body: { type: type as Schemas['TriggerEvent']['type'] },
          }),
        )
      }
      done={({ type }) => `${type} is on its way.`}
      result={({ id }) => <IdLink id={id} />}
    >
      <TextInput name="type" label="Type" defaultValue="transaction.successful" required />
    </Tool>
  );
}
