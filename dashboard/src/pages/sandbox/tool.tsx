import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import { fieldsOf } from '../../ui/form-fields';
import { ProblemAlert } from '../../ui/problem-alert';
import { useAction } from '../../ui/use-action';

interface ToolProps<Result> {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly run: (fields: Record<string, string>) => Promise<Result>;
  readonly done: (result: Result) => string;
  readonly children: ReactNode;
  /** What came of it. */
  readonly result?: (result: Result) => ReactNode;
}

/** One thing that the sandbox can do: a form and what came of it. */
export function Tool<Result>({ title, text, button, run, done, children, result }: ToolProps<Result>) {
  const id = useId();
  const action = useAction(run, done);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    action.mutate(fieldsOf(event.currentTarget));
  }
  return (
    <Card withBorder component="section" aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {text}
      </Text>
      <form onSubmit={submit}>
        <Stack gap="xs">
          {children}
          <ProblemAlert error={action.error} />
          {action.data !== undefined && result && (
            <Text size="sm" component="div">
              {result(action.data)}
            </Text>
          )}
          <Group>
            <Button type="submit" size="xs" loading={action.isPending}>
              {button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
