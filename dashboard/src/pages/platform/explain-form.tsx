import { Button, Group, Stack, Textarea } from '@mantine/core';
import type { FormEvent } from 'react';
import { dashboardApi } from '../../api/dashboard-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';

const REASON_MAX = 500;

/** Closes a difference with the reason for it. */
export function ExplainForm({ id, onExplained }: { id: string; onExplained: () => void }) {
  const explaining = useAction(
    (reason: string) =>
      dashboardApi.POST('/operators/live/differences/{id}', { params: { path: { id } }, body: { reason } }),
    'The difference is explained.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { reason = '' } = fieldsOf(event.currentTarget);
    if (reason !== '') explaining.mutate(reason, { onSuccess: onExplained });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Textarea
          name="reason"
          label="Reason"
          description="Kept with the difference and in the audit log"
          required
          maxLength={REASON_MAX}
          autosize
          minRows={2}
          data-autofocus
        />
        <ProblemAlert error={explaining.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={explaining.isPending}>
            Explain
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
