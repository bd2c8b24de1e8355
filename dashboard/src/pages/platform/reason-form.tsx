import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';

const REASON_MAX = 500;

interface ReasonFormProps {
  /** What is done with the reason. */
  readonly action: Pick<UseMutationResult<unknown, Error, string>, 'mutate' | 'error' | 'isPending'>;
  readonly description: ReactNode;
  readonly button: string;
  readonly color?: string;
  readonly onDone: () => void;
}

/** What an operator does with a reason for it. */
export function ReasonForm({ action, description, button, color, onDone }: ReasonFormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { reason = '' } = fieldsOf(event.currentTarget);
    if (reason !== '') action.mutate(reason, { onSuccess: onDone });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          name="reason"
          label="Reason"
          description={description}
          required
          maxLength={REASON_MAX}
          autosize
          minRows={2}
          data-autofocus
        />
        <ProblemAlert error={action.error} />
        <Group justify="flex-end">
          <Button type="submit" color={color} loading={action.isPending}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
