import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { bodyOf, type Schemas } from '../../api/public-api';
import { SendingAlert } from '../../ui/sending-alert';
import { useApi } from '../../ui/use-mode';
import { useSending } from '../../ui/use-sending';
import '../../styles/webhooks.css';
import { bodyOfFields, type EndpointFields, fieldsOfEndpoint } from './endpoint-changes';
import { EventPicker } from './event-picker';
import { SentHeaders } from './sent-headers';

type Body = Schemas['CreateWebhookEndpoint'];

/** `onDone`: it was made, but the answer with its secret got lost; its page shows the secret. */
export function EndpointForm({
  onMade,
  onDone,
}: {
  onMade: (endpoint: Schemas['NewWebhookEndpoint']) => void;
  onDone: () => void;
}) {
  const api = useApi();
  const creation = useSending(
    'endpoint',
    (body: Body, key) => bodyOf(api.POST('/v4/webhooks', { params: { header: { 'Idempotency-Key': key } }, body })),
    'The endpoint is registered.',
  );
  const [fields, setFields] = useState(() => fieldsOfEndpoint(null));
  return (
    <Form fields={fields} onChange={setFields} onSubmit={(body) => creation.mutate(body, { onSuccess: onMade })}>
      <SendingAlert sending={creation} onDone={onDone} />
      <Group justify="flex-end">
        <Button type="submit" {...creation.button} disabled={creation.button.disabled || fields.patterns.length === 0}>
          Register endpoint
        </Button>
      </Group>
    </Form>
  );
}

export function EndpointEdit({ endpoint, onDone }: { endpoint: Schemas['WebhookEndpoint']; onDone: () => void }) {
  const api = useApi();
  const { id, header_names } = endpoint;
  const change = useSending(
    `endpoint ${id}`,
    (body: Body, key) =>
      bodyOf(api.PATCH('/v4/webhooks/{id}', { params: { path: { id }, header: { 'Idempotency-Key': key } }, body })),
    'The endpoint is changed.',
  );
  const [fields, setFields] = useState(() => fieldsOfEndpoint(endpoint));
  // An address that stays is not sent: in live mode a new one asks who it is.
  const submit = ({ url, ...body }: Body) =>
    change.mutate((url === endpoint.url ? body : { ...body, url }) as Body, { onSuccess: onDone });
  return (
    <Form fields={fields} onChange={setFields} before={header_names} onSubmit={submit}>
      <SendingAlert sending={change} onDone={onDone} />
      <Group justify="flex-end">
        <Button type="submit" {...change.button} disabled={change.button.disabled || fields.patterns.length === 0}>
          Save changes
        </Button>
      </Group>
    </Form>
  );
}

interface FormProps {
  readonly fields: EndpointFields;
  readonly onChange: (fields: EndpointFields) => void;
  readonly onSubmit: (body: Body) => void;
  /** Names of the headers that the endpoint has. */
  readonly before?: readonly string[];
  readonly children: React.ReactNode;
}

function Form({ fields, onChange, onSubmit, before, children }: FormProps) {
  const set = (part: Partial<EndpointFields>) => onChange({ ...fields, ...part });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit(bodyOfFields(fields, before));
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Address"
          description="https in live mode"
          type="url"
          required
          data-autofocus
          placeholder="https://example.com/webhooks"
          value={fields.url}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
        <TextInput
          label="Description"
          value={fields.description}
          onChange={(event) => set({ description: event.currentTarget.value })}
        />
        <EventPicker patterns={fields.patterns} onChange={(patterns) => set({ patterns })} />
        {fields.patterns.length === 0 && <Text size="sm">Choose at least one type.</Text>}
        <SentHeaders headers={fields.headers} onChange={(headers) => set({ headers })} />
        <Group grow align="flex-end">
          <TextInput
            label="Requests at once"
            description="1 to 100"
            inputMode="numeric"
            value={fields.inFlight}
            onChange={(event) => set({ inFlight: event.currentTarget.value })}
          />
          <TextInput
            label="Requests a second"
            description="Empty: as many as there are"
            inputMode="numeric"
            value={fields.perSecond}
            onChange={(event) => set({ perSecond: event.currentTarget.value })}
          />
        </Group>
        <Checkbox
          label="Send meter tokens and PINs whole"
          description="They are cash. Leave it off unless your system hands them out."
          checked={fields.withSecrets}
          onChange={(event) => set({ withSecrets: event.currentTarget.checked })}
        />
        {children}
      </Stack>
    </form>
  );
}
