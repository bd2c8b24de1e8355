import '../../styles/story.css';
import { Button, Stack, Text, Title } from '@mantine/core';
import { dashboardApi } from '../../api/dashboard-api';
import { bodyOf, type Schemas } from '../../api/public-api';
import { useMay } from '../../session/use-may';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';
import { useLivemode } from '../../ui/use-mode';

type Secrets = Partial<Pick<Schemas['BillDetails'], 'tokens' | 'pins'>>;

export const hasSecrets = ({ tokens, pins }: Record<string, unknown>): boolean =>
  [tokens, pins].some((list) => Array.isArray(list) && list.length > 0);

/** Meter tokens and PINs: masked until somebody who may asks for them, and then large enough to read out. */
export function TransactionSecrets({ id }: { id: string }) {
  const livemode = useLivemode();
  const { hasScope } = useMay();
  const reveal = useAction(
    () => bodyOf(dashboardApi.POST('/transactions/{id}/reveal', { params: { path: { id }, query: { livemode } } })),
    'The tokens are shown.',
  );
  if (!hasScope('tokens:reveal')) return null;
  const { tokens = [], pins = [] } = (reveal.data?.details ?? {}) as Secrets;
  return (
    <section aria-labelledby="secrets-title">
      <Title order={2} size="h4" id="secrets-title" mb="xs">
        Tokens and PINs
      </Title>
      <Stack align="flex-start" gap="xs">
        <ProblemAlert error={reveal.error} />
        {!reveal.data && (
          <Button
            className="no-print"
            variant="default"
            size="xs"
            loading={reveal.isPending}
            onClick={() => reveal.mutate(undefined)}
          >
            Reveal
          </Button>
        )}
        {tokens.map(({ kind, value, units }) => (
          <Secret key={value} label={[kind.replaceAll('_', ' '), units].filter(Boolean).join(', ')} value={value} />
        ))}
        {pins.map(({ serial, pin }) => (
          <Secret key={serial} label={serial} value={pin} />
        ))}
      </Stack>
    </section>
  );
}

function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <div className="secret-value">{value.replace(/(.{4})(?=.)/g, '$1 ')}</div>
    </div>
  );
}
