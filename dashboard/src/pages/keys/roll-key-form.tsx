import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';

const OVERLAPS = [
  { value: '0', label: 'Not at all: it stops now' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
];

interface RollKeyFormProps {
  readonly apiKey: DashboardSchemas['Key'];
  readonly onMade: (made: DashboardSchemas['NewKey']) => void;
}

/** A new secret with the same rights; the old one goes on for a while, so that no program stops. */
export function RollKeyForm({ apiKey, onMade }: RollKeyFormProps) {
  const roll = useAction(
    (seconds: number) =>
      bodyOf(
        dashboardApi.POST('/keys/{id}/roll', {
          params: { path: { id: apiKey.id } },
          body: { overlap_seconds: seconds },
        }),
      ),
    'The key is rolled.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    roll.mutate(Number(fieldsOf(event.currentTarget).overlap), { onSuccess: onMade });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          You get a new key with the same name, scopes, addresses and expiry. The old one never works beyond its own.
        </Text>
        <NativeSelect
          name="overlap"
          label="How long the old key still works"
          data={OVERLAPS}
          defaultValue="86400"
          data-autofocus
        />
        <ProblemAlert error={roll.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={roll.isPending}>
            Roll the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
