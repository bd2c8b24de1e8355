import { Button, Container, Stack, Text, Title } from '@mantine/core';
import { ProblemAlert } from '../ui/problem-alert';

export function Failure({ error, reset }: { error: unknown; reset?: () => void }) {
  return (
    <Container size="sm" py="xl" component="main">
      <Stack align="flex-start">
        <Title order={1} size="h2">
          This page could not be shown
        </Title>
        <ProblemAlert error={error} />
        <Button variant="default" onClick={() => (reset ? reset() : location.reload())}>
          Try again
        </Button>
      </Stack>
    </Container>
  );
}

export function NotFound() {
  return (
    <Container size="sm" py="xl">
      <Title order={1} size="h2">
        There is no such page
      </Title>
      <Text mt="sm">
        <a href="/dashboard/">Go to the start page</a>
      </Text>
    </Container>
  );
}
