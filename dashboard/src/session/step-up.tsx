import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { createContext, type FormEvent, type ReactNode, useCallback, useContext, useState } from 'react';
import { dashboardApi } from '../api/dashboard-api';
import { Problem } from '../api/problem';
import { ProblemAlert } from '../ui/problem-alert';
import { fieldsOf } from '../ui/form-fields';

type Guarded = <Result>(work: () => Promise<Result>) => Promise<Result>;
/** Above the dialog that asked for it. */
const ABOVE_DIALOGS = 300;
const StepUp = createContext<Guarded>((work) => work());

/** Runs work; when the service wants the password again for it, asks the person and runs it once more. */
export const useStepUp = () => useContext(StepUp);

interface Asked {
  readonly passed: () => void;
  readonly refused: () => void;
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const guarded = useCallback<Guarded>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'step_up_required') throw error;
      await new Promise<void>((resolve, reject) => setAsked({ passed: resolve, refused: () => reject(error) }));
      return work();
    }
  }, []);
  const close = () => {
    asked?.refused();
    setAsked(null);
  };
  const pass = () => {
    asked?.passed();
    setAsked(null);
  };
  return (
    <StepUp value={guarded}>
      {children}
      <Modal
        opened={asked !== null}
        onClose={close}
        zIndex={ABOVE_DIALOGS}
        title="Confirm that it is you"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <StepUpForm onPassed={pass} onCancel={close} />
      </Modal>
    </StepUp>
  );
}

function StepUpForm({ onPassed, onCancel }: { onPassed: () => void; onCancel: () => void }) {
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
        <Text size="sm">This needs your password once more. It then holds for five minutes.</Text>
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
          <Button type="submit" loading={busy}>
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
