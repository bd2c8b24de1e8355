import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { checkSignature, type Finding } from './signature-check';

/** Tells which rule a request breaks that a receiver refuses. */
export function SignaturePage() {
  const [findings, setFindings] = useState<readonly Finding[] | null>(null);
  const [error, setError] = useState<unknown>(null);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    try {
      // A form turns line breaks into CRLF when it is sent, not when it is read: the body stays as it was pasted.
      setFindings(
        await checkSignature({
          secret: text('secret'),
          headers: text('headers'),
          body: text('body').replaceAll('\r\n', '\n'),
          nowMs: Date.now(),
        }),
      );
      setError(null);
    } catch (refusal) {
      setError(refusal);
    }
  }
  const broken = findings?.find(({ holds }) => !holds);
  return (
    <>
      <PageHead title="Signature checker" />
      <Stack maw={760}>
        <Text size="sm">Paste a request as your receiver got it. It is checked in your browser; nothing is sent.</Text>
        <form onSubmit={submit}>
          <Stack>
            <TextInput name="secret" label="Signing secret" required autoComplete="off" placeholder="whsec_…" />
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
        {findings && (
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
        )}
      </Stack>
    </>
  );
}
