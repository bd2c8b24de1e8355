import '../../styles/story.css';
import { Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type ToggleEvent, useEffect, useState } from 'react';
import { useAheadMs } from '../../session/use-sandbox';
import { Loading } from '../../ui/data-table';
import { moneyText } from '../../ui/money';
import { ProblemAlert } from '../../ui/problem-alert';
import { StatusBadge } from '../../ui/status-badge';
import { When } from '../../ui/when';
import { StepDetail } from './step-detail';
import { type StoryOf, type StoryStep, useStory } from './use-story';

const HIDDEN: Readonly<Partial<Record<StoryStep['kind'], string>>> = { request: 'requests', ledger: 'ledger lines' };

/** What happened around an id, from the request to the last webhook. `running`: it goes on, and is read again. */
export function Story({ id, running = false }: { id: string; running?: boolean }) {
  const { data, error } = useStory(id, running);
  return (
    <section aria-labelledby="timeline-title">
      <Title order={2} size="h4" id="timeline-title" mb="xs">
        Timeline
      </Title>
      {!data && !error && <Loading label="timeline" />}
      <ProblemAlert error={error} />
      {data && <Steps story={data} />}
    </section>
  );
}

function Steps({ story: { id, steps, total, hidden } }: { story: StoryOf }) {
  const { hash } = useLocation();
  const asked = steps.some((step) => step.id === hash) ? hash : null;
  useEffect(() => {
    if (asked !== null) document.getElementById(asked)?.scrollIntoView({ block: 'start' });
  }, [asked]);
  const unseen = hidden.flatMap((kind) => HIDDEN[kind] ?? []);
  return (
    <>
      {steps.length < total && (
        <Text size="sm" mb="xs">
          {steps.length} of {total} steps: the first and the last ones.
        </Text>
      )}
      <ol className="story">
        {steps.map((step) => (
          <Step key={step.id} step={step} opened={step.id === asked || (asked === null && isAsked(step, id))} />
        ))}
      </ol>
      {unseen.length > 0 && (
        <Text size="sm" c="dimmed">
          Your role does not see {unseen.join(' and ')}.
        </Text>
      )}
    </>
  );
}

/** What is opened by itself; of a delivery each attempt is marked. */
const isAsked = ({ id: step, kind }: StoryStep, id: string): boolean =>
  step === id && (kind === 'request' || kind === 'event' || kind === 'delivery');

const ACTORS: Readonly<Record<NonNullable<StoryStep['actor']>['type'], string>> = {
  key: 'API key',
  person: '',
  provider: '',
  endpoint: 'your endpoint',
  platform: 'Duka',
};

const actorText = (actor: StoryStep['actor']): string =>
  actor === null ? '' : [ACTORS[actor.type], actor.name].filter(Boolean).join(' ');

function Step({ step, opened }: { step: StoryStep; opened: boolean }) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? opened;
  const onToggle = ({ currentTarget: { open } }: ToggleEvent<HTMLDetailsElement>) => {
    if (open !== isOpen) setChosen(open);
  };
  const [amount] = step.amounts;
  const aheadMs = useAheadMs();
  const who = actorText(step.actor);
  return (
    <li id={step.id} className={`step step-${step.kind}`} aria-current={step.current ? 'step' : undefined}>
      <details open={isOpen} onToggle={onToggle}>
        <summary>
          <span className="step-title">{step.title}</span>
          {step.status && <StatusBadge status={step.status} />}
          {amount && <span className="amount">{moneyText(amount.amount, amount.currency)}</span>}
          <span className="step-facts">
            {who && <>by {who} · </>}
            <When at={step.at} aheadMs={aheadMs} />
          </span>
        </summary>
        {isOpen && <StepDetail step={step} />}
      </details>
    </li>
  );
}
