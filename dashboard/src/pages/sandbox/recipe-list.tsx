import { Button, Card, Group, List, SimpleGrid, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { messageOf, Problem } from '../../api/problem';
import { attemptKey } from '../../api/public-api';
import { useAction } from '../../ui/use-action';
import { IdLink } from '../../ui/links';
import { NeedsReview, StatusBadge } from '../../ui/status-badge';
import { When } from '../../ui/when';
import { type Made, type Recipe, RECIPES } from './recipes';

/** Stories of several steps, each at a press. */
export function Recipes() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
      {RECIPES.map((recipe) => (
        <RecipeCard key={recipe.title} recipe={recipe} />
      ))}
    </SimpleGrid>
  );
}

interface Progress {
  /** One for each step: a step without an answer is sent again with its own. */
  readonly keys: readonly string[];
  readonly made: readonly Made[];
}

function RecipeCard({ recipe: { title, text, steps } }: { recipe: Recipe }) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const running = useAction(async (from: Progress) => {
    let made = from.made;
    for (const [at, step] of steps.entries()) {
      if (at < made.length) continue;
      setProgress({ ...from, made });
      made = [...made, await step.run(made, from.keys[at] ?? '')];
      setProgress({ ...from, made });
    }
  });
  const made = progress?.made ?? [];
  const isHalf = running.isError && progress !== null;
  return (
    <Card withBorder component="section" aria-label={title}>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {text}
      </Text>
      <List type="ordered" size="sm" spacing={4} aria-live="polite">
        {steps.map((step, at) => (
          <List.Item key={step.text}>
            {step.text} {made[at] && <Result made={made[at]} />}
            {!made[at] && at === made.length && running.isPending && <StatusBadge status="processing" />}
          </List.Item>
        ))}
      </List>
      {running.error && (
        <Text size="sm" role="alert" mt="xs">
          <StatusBadge status="refused" /> {running.error instanceof Problem ? running.error.code : ''}{' '}
          {messageOf(running.error)}
        </Text>
      )}
      <Group mt="sm" gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={running.isPending}
          aria-label={`Run: ${title}`}
          onClick={() => running.mutate({ keys: steps.map(attemptKey), made: [] })}
        >
          {progress === null ? 'Run' : 'Run again'}
        </Button>
        {isHalf && (
          <Button size="xs" onClick={() => running.mutate(progress)}>
            Go on
          </Button>
        )}
      </Group>
    </Card>
  );
}

/** The state of what was made; of the clock, what it shows. */
const Result = ({ made: { id, status, needs_review } }: { made: Made }) =>
  id === null ? (
    <When at={status} />
  ) : (
    <>
      <StatusBadge status={status} /> {needs_review && <NeedsReview />} <IdLink id={id} />
    </>
  );
