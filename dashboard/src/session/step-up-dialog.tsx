import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { dashboardApi } from '../api/dashboard-api';
import { Dialog } from '../ui/dialog';
import { fieldsOf } from '../ui/form-fields';
import { ProblemAlert } from '../ui/problem-alert';
import { PasskeyButton } from './passkey-button';

/** Above the dialog that asked for it. */
const ABOVE_DIALOGS = 300;

interface StepUpDialogProps {
  readonly opened: boolean;
  readonly onPassed: () => void;
  readonly onCancel: () => void;
}

export default function StepUpDialog({ opened, onPassed, onCancel }: StepUpDialogProps) {
  return (
    <Dialog opened={opened} onClose={onCancel} zIndex={ABOVE_DIALOGS} title="Confirm that it is you">
      <StepUpForm onPassed={onPassed} onCancel={onCancel} />
    </Dialog>
  );
}

function StepUpForm({ onPassed, onCancel }: Omit<StepUpDialogProps, 'opened'>) {
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { password = '', code } = fieldsOf(event.currentTarget);
    setBusy(true);
    try {
      await dashboardApi.POST('/auth/step-up', { body: { password, ...(code && { code }) } });
      onPassed();
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">This needs your password or a passkey once more. It then holds for five minutes.</Text>
        <PasswordInput name="password" label="Password" required autoComplete="current-password" data-autofocus />
        <TextInput
          name="code"
          label="Code of your authenticator app"
          description="Only when two-step log-in is on"
          autoComplete="one-time-code"
          inputMode="numeric"
        />
        <ProblemAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <PasskeyButton label="Use a passkey" act="stepUpWithPasskey" onPassed={onPassed} onRefused={setError} />
          <Button type="submit" loading={busy}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
