import { Button, Stack } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';

interface AuthFormProps {
  readonly label: string;
  readonly send: (fields: Record<string, string>) => Promise<unknown>;
  /** Where to go then: a path of this page. */
  readonly next: string;
  readonly children: ReactNode;
}

/** A form that ends in a session. */
export function AuthForm({ label, send, next, children }: AuthFormProps) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = fieldsOf(event.currentTarget);
    setBusy(true);
    setError(null);
    try {
      await send(fields);
      // A whole new document, so that nothing of another session stays in memory.
      location.assign(pathOf(next));
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <ProblemAlert error={error} />
        <Button type="submit" loading={busy} fullWidth>
          {label}
        </Button>
      </Stack>
    </form>
  );
}

/** Only a path of the dashboard: a link to the log-in must not lead away afterwards. */
export function pathOf(next: string): string {
  const url = new URL(next, location.origin);
  const inside = url.pathname.startsWith('/dashboard') ? url.pathname : `/dashboard${url.pathname}`;
  return url.origin === location.origin ? inside + url.search : '/dashboard/test';
}
