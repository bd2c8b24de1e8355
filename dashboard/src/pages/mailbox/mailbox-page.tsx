import { Alert, Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dashboardApi, type DashboardSchemas } from '../../api/dashboard-api';
import { Problem } from '../../api/problem';
import { bodyOf } from '../../api/public-api';
import { Loading } from '../../ui/data-table';
import { AnchorLink } from '../../ui/links';
import { ProblemAlert } from '../../ui/problem-alert';
import { agoText } from '../../ui/time';

const READ_AGAIN_MS = 5_000;
const PAGE_OF_DASHBOARD = /(https?:\/\/\S+\/dashboard\/\S+)/;

/** Mail that nobody was sent: for whoever tries the service on their own machine. */
export function MailboxPage() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['mailbox'],
    queryFn: () => bodyOf(dashboardApi.GET('/mailbox')),
    refetchInterval: READ_AGAIN_MS,
  });
  useEffect(() => {
    document.title = 'Mailbox · Duka';
  }, []);
  const isClosed = error instanceof Problem && error.status === 404;
  return (
    <main className="mailbox">
      <Group justify="space-between" mb="md">
        <Title order={1} size="h3">
          Mailbox
        </Title>
        {!isClosed && (
          <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
            Read again
          </Button>
        )}
      </Group>
      {isClosed ? <Closed /> : <ProblemAlert error={error} />}
      {!data && !error && <Loading label="mail" />}
      {data && !isClosed && <Mails mails={data.data} />}
      <Text size="sm" mt="md">
        <AnchorLink to="/log-in">Back to the log-in</AnchorLink>
      </Text>
    </main>
  );
}

function Closed() {
  return (
    <Alert title="There is no mailbox here">
      It is there where the service has no mail server (SMTP_URL), only its own machine reaches it, without a proxy, and
      no account has live mode.
    </Alert>
  );
}

function Mails({ mails }: { mails: readonly DashboardSchemas['KeptMail'][] }) {
  return (
    <Stack>
      <Alert title="No mail is sent">
        This service has no mail server (SMTP_URL). What it would have sent is here, the newest 50, for anybody at this
        machine.
      </Alert>
      {mails.length === 0 && (
        <Text c="dimmed">
          Nothing yet. <AnchorLink to="/forgot-password">Ask for a new password</AnchorLink>, or invite somebody to your
          team.
        </Text>
      )}
      {mails.map((mail) => (
        <Mail key={mail.id} mail={mail} />
      ))}
    </Stack>
  );
}

function Mail({ mail: { id, to, subject, text, created_at } }: { mail: DashboardSchemas['KeptMail'] }) {
  return (
    <Card withBorder component="article" aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {subject}
      </Title>
      <Text size="sm" c="dimmed">
        To {to}, {agoText(created_at)}
      </Text>
      <Text component="div" mt="sm" className="mail-text">
        {text.split(PAGE_OF_DASHBOARD).map((part, at) => (at % 2 === 0 ? part : <PageLink key={part} url={part} />))}
      </Text>
    </Card>
  );
}

/** Here, wherever the service believes that it is published. */
function PageLink({ url }: { url: string }) {
  const { pathname, search, hash } = new URL(url);
  return <Anchor href={pathname + search + hash}>{url}</Anchor>;
}
