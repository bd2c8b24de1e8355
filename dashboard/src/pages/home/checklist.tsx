import { Text, Title } from '@mantine/core';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { type May, useMay } from '../../session/use-may';
import { AnchorLink } from '../../ui/links';
import { useMode } from '../../ui/use-mode';

type Done = Readonly<DashboardSchemas['Checklist']>;

interface Step {
  readonly step: keyof Done;
  readonly text: string;
  readonly page: string;
  /** Who can do it; else everybody. */
  readonly isFor?: (may: May) => boolean;
  /** Of the sandbox: nothing that one does with real money. */
  readonly isOfTest?: boolean;
}

const STEPS: readonly Step[] = [
  {
    step: 'has_transfer',
    text: 'Move test money once',
    page: 'sandbox',
    isOfTest: true,
    isFor: ({ hasScope }) => hasScope('sandbox:write'),
  },
  { step: 'has_key', text: 'Make an API key', page: 'keys', isFor: ({ hasPermission }) => hasPermission('keys:write') },
  {
    step: 'has_webhook',
    text: 'Register a webhook endpoint',
    page: 'webhooks',
    isFor: ({ hasScope }) => hasScope('webhooks:write'),
  },
  {
    step: 'has_delivery',
    text: 'Receive a first event',
    page: 'webhooks',
    isFor: ({ hasScope }) => hasScope('webhooks:write'),
  },
  { step: 'totp_enabled', text: 'Turn on two-step log-in', page: 'security' },
  { step: 'live_enabled', text: 'Have live mode enabled', page: 'live' },
];

export function Checklist({ done }: { done: Done }) {
  const mode = useMode();
  const may = useMay();
  const steps = STEPS.filter(({ isFor, isOfTest }) => (isFor?.(may) ?? true) && !(isOfTest && mode === 'live'));
  const left = steps.filter(({ step }) => !done[step]).length;
  if (left === 0) return null;
  return (
    <section aria-labelledby="steps-title">
      <Title order={2} size="h4" id="steps-title" mb="xs">
        Next steps
      </Title>
      <ul className="steps">
        {steps.map(({ step, text, page }) => (
          <li key={step}>
            <span aria-hidden="true">{done[step] ? '✓' : '○'}</span>{' '}
            {done[step] ? (
              <Text component="span" c="dimmed">
                {text} <span className="visually-hidden">(done)</span>
              </Text>
            ) : (
              <AnchorLink to={(page === 'live' ? '/live' : `/${mode}/${page}`) as '/$mode'} params={{ mode }}>
                {text}
              </AnchorLink>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
