import { Button, Checkbox, Group, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { bodyOf } from '../../api/public-api';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { dayStartIn, todayIn } from '../../ui/time';
import { useAction } from '../../ui/use-action';
import { useLivemode } from '../../ui/use-mode';
import { useTimeZone } from '../../ui/use-time-zone';
import { SCOPE_PRESETS } from './scope-presets';

type Wanted = DashboardSchemas['CreateKey'];

export function NewKeyForm({ onMade }: { onMade: (made: DashboardSchemas['NewKey']) => void }) {
  const livemode = useLivemode();
  const timeZone = useTimeZone() ?? 'UTC';
  const [limited, setLimited] = useState(false);
  const [scopes, setScopes] = useState<string[]>([]);
  const creation = useAction(
    (wanted: Wanted) => bodyOf(dashboardApi.POST('/keys', { body: wanted })),
    'The key is made.',
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { name = '', expires, ips = '' } = fieldsOf(event.currentTarget);
    const allowed = ips.split(/[\s,]+/).filter(Boolean);
    const wanted = {
      name,
      livemode,
      scopes: limited ? scopes : null,
      // Good until that day is over where the account is: no key is dead when it is made.
      expires_at: dayStartIn(timeZone, expires, 1) ?? null,
      allowed_ips: allowed.length > 0 ? allowed : null,
    };
    creation.mutate(wanted, { onSuccess: onMade });
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          name="name"
          label="Name"
          description="Which program uses it"
          required
          maxLength={100}
          data-autofocus
        />
        <Switch
          label="Limit what it may do"
          checked={limited}
          onChange={(event) => setLimited(event.currentTarget.checked)}
        />
        {limited && <Scopes chosen={scopes} onChange={setScopes} />}
        <TextInput
          name="expires"
          label="Good until the end of"
          description={`A day by the clocks of ${timeZone}. Empty: it does not expire.`}
          type="date"
          min={todayIn(timeZone)}
        />
        <Textarea
          name="ips"
          label="Allowed addresses"
          description="IP addresses or ranges, such as 192.0.2.0/24. Empty: anywhere."
          autosize
          minRows={2}
        />
        <ProblemAlert error={creation.error} />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending} disabled={limited && scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function Scopes({ chosen, onChange }: { chosen: string[]; onChange: (scopes: string[]) => void }) {
  const { data, error } = useQuery({
    queryKey: ['scopes'],
    queryFn: () => bodyOf(dashboardApi.GET('/scopes')),
    staleTime: Infinity,
  });
  return (
    <Checkbox.Group label="Scopes" value={chosen} onChange={onChange}>
      <ProblemAlert error={error} />
      <Group gap={6} mt="xs" role="group" aria-label="Common choices">
        {SCOPE_PRESETS.map(({ name, takes }) => (
          <Button
            key={name}
            size="compact-xs"
            variant="default"
            disabled={!data}
            onClick={() => onChange(data?.data.filter(takes) ?? [])}
          >
            {name}
          </Button>
        ))}
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
        {data?.data.map((name) => (
          <Checkbox key={name} value={name} label={name} />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
