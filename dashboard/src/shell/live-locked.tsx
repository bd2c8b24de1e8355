import { Alert, Code, List, Stack, Text } from '@mantine/core';
import { useMe } from '../session/session';
import { ButtonLink } from '../ui/links';
import { PageHead } from '../ui/page-head';

export function LiveLocked() {
  const { account } = useMe();
  return (
    <>
      <PageHead title="Live mode is locked" />
      <Stack align="flex-start" maw={640}>
        <Text>
          In live mode real money moves. An operator of this service enables it for an account after checking who is
          behind it; nobody can do so from this page.
        </Text>
        <Alert variant="outline" color="teal" title="What you can do meanwhile">
          <List size="sm">
            <List.Item>Build everything in test mode: it has the same routes, states and webhooks.</List.Item>
            <List.Item>Turn on two-step log-in for everybody who will see live data.</List.Item>
            <List.Item>
              Tell the operator your account: <Code className="id">{account.id}</Code>
            </List.Item>
          </List>
        </Alert>
        <ButtonLink to="/$mode" params={{ mode: 'test' }}>
          Go to test mode
        </ButtonLink>
      </Stack>
    </>
  );
}
