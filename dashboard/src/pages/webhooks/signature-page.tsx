import { Alert, Button, Group, NativeSelect, PasswordInput, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useApi, useLivemode, useMode } from '../../ui/use-mode';
import { usePages } from '../../ui/use-pages';
import { checkSignature, type Finding } from './signature-check';

/** Tells which rule a request breaks that a receiver refuses. */
export function SignaturePage() {
  const [secret, setSecret] = useState('');
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  const { hasPermission } = useMay();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    try {
      // A form turns line breaks into CRLF when it is sent, not when it is read: the body stays as it was pasted.
      const body = text('body').replaceAll('\r\n', '\n');
      setFindings(await checkSignature({ secret, headers: text('headers'), body, nowMs: Date.now() }));
      setError(null);
    } catch (refusal) {
      setError(refusal);
    }
  }
  return (
    <>
      <PageHead title="Signature checker" />
      <Stack maw={760}>
        <Text size="sm">
          Paste a request as your receiver got it. It is checked in your browser; nothing of it is sent.
        </Text>
        {hasPermission('webhooks:secret') && <EndpointPick onSecret={setSecret} />}
        <form onSubmit={submit}>
          <Stack>
            <PasswordInput
              name="secret"
              label="Signing secret"
              required
              autoComplete="off"
              placeholder="whsec_…"
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
              visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the secret' }}
            />
            <Textarea
              name="headers"
              label="Headers"
              description="One a line, as name: value"
              required
              rows={4}
              classNames={{ input: 'id' }}
            />
            <Textarea name="body" label="Raw body" required rows={6} classNames={{ input: 'id' }} />
            <Group>
              <Button type="submit">Check</Button>
            </Group>
          </Stack>
        </form>
        <ProblemAlert error={error} />
        {findings && <Findings findings={findings} />}
      </Stack>
    </>
  );
}

/** Fills in the secret of an endpoint, which the audit log notes; it stays hidden in its field. */
function EndpointPick({ onSecret }: { onSecret: (secret: string) => void }) {
  const mode = useMode();
  const api = useApi();
  const livemode = useLivemode();
  const [chosen, setChosen] = useState('');
  const list = usePages([mode, 'webhooks'], (cursor) =>
    bodyOf(api.GET('/v4/webhooks', { params: { query: { cursor } } })),
  );
  const reveal = useAction(async (id: string) => {
    const { secret } = await bodyOf(
      dashboardApi.GET('/webhooks/{id}/secret', { params: { path: { id }, query: { livemode } } }),
    );
    onSecret(secret);
  }, 'The secret is filled in.');
  const data = list.rows.map(({ id, url, description }) => ({
    value: id,
    label: description ? `${description}: ${url}` : url,
  }));
  return (
    <>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          className="grow"
          label="Endpoint"
          description="Or paste a secret below"
          value={chosen}
          data={[{ value: '', label: 'Choose one' }, ...data]}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
        <Button
          variant="default"
          disabled={chosen === ''}
          loading={reveal.isPending}
          onClick={() => reveal.mutate(chosen)}
        >
          Use its secret
        </Button>
      </Group>
      {list.hasNextPage && (
        <Group>
          <Button variant="subtle" size="xs" onClick={() => void list.fetchNextPage()}>
            More endpoints
          </Button>
        </Group>
      )}
      <ProblemAlert error={list.error ?? reveal.error} />
    </>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const broken = findings.find(({ holds }) => !holds);
  return (
    <Alert
      role="status"
      variant="outline"
      color={broken ? 'red' : 'teal'}
      title={broken ? `Broken: ${broken.rule}` : 'The signature is right'}
    >
      <ul className="steps">
        {findings.map(({ rule, holds, detail }) => (
          <li key={rule}>
            <span aria-hidden="true">{holds ? '✓' : '✗'}</span> <strong>{rule}</strong>{' '}
            <span className="visually-hidden">{holds ? '(holds)' : '(broken)'}</span>
            <Text size="sm" className="id">
              {detail}
            </Text>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
