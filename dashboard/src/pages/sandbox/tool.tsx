import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import { fieldsOf } from '../../ui/form-fields';
import { SendingAlert } from '../../ui/sending-alert';
import { useSending } from '../../ui/use-sending';

interface ToolProps<Result> {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly run: (fields: Record<string, string>, key: string) => Promise<Result>;
  /** Sent without the key: the page itself shows what became of it. */
  readonly isRepeatable?: boolean;
  readonly done: (result: Result) => string;
  readonly children: ReactNode;
  /** What came of it. */
  readonly result?: (result: Result) => ReactNode;
}

/** One thing that the sandbox can do: a form and what came of it. */
export function Tool<Result>({
  title,
  text,
  button,
  run,
  isRepeatable = false,
  done,
  children,
  result,
}: ToolProps<Result>) {
  const id = useId();
  const action = useSending(isRepeatable ? null : title, run, done);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    action.mutate(fieldsOf(event.currentTarget));
  }
  return (
    <Card withBorder component="section" aria-labelledby={id} id={title.replaceAll(' ', '-').toLowerCase()}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {text}
      </Text>
      <form onSubmit={submit}>
        <Stack gap="xs">
          {children}
          <SendingAlert sending={action} />
          {action.data !== undefined && result && (
            <Text size="sm" component="div">
              {result(action.data)}
            </Text>
          )}
          <Group>
            <Button type="submit" size="xs" {...action.button}>
              {button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
