import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import type { DashboardSchemas } from '../../api/dashboard-api';
import { CopyField, JsonBlock } from '../../ui/copy-field';
import { asCurl } from '../requests/as-curl';
import { hasQueryOnly } from '../requests/request-parts';

type Exchange = DashboardSchemas['RequestExchange'];

/** Both sides of a request, and the command that sends it again. */
export function RequestExchange({ request }: { request: Exchange }) {
  return (
    <Stack>
      <Asked request={request} />
      <Answered request={request} />
      <Part title="Send it again">
        <Text size="sm" mb="xs">
          With your key in <code>DUKA_KEY</code>. What was cut out as a secret has to be filled in.
        </Text>
        <CopyField label="As curl" value={asCurl(request, location.origin)} />
      </Part>
    </Stack>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} size="h5" id={id} mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Asked({ request }: { request: Exchange }) {
  const isQuery = hasQueryOnly(request);
  return (
    <Part title="Request">
      <Stack gap="xs">
        {request.request_headers && <JsonBlock label="Headers of the request" value={request.request_headers} />}
        {request.request_body === null ? (
          <Text c="dimmed">{isQuery ? 'No query.' : 'No body.'}</Text>
        ) : (
          <>
            <Text size="sm">{isQuery ? 'Query' : 'Body'}, without secrets</Text>
            <JsonBlock label={`${isQuery ? 'Query' : 'Body'} of the request, redacted`} value={request.request_body} />
          </>
        )}
      </Stack>
    </Part>
  );
}

function Answered({ request }: { request: Exchange }) {
  const { status, answer, answer_headers: headers, answer_days: days } = request;
  return (
    <Part title="Answer">
      {headers === null ? (
        <Text c="dimmed">
          {status < 400
            ? 'Answers of requests that went well are not kept: what was made says it.'
            : `Not kept: answers are kept for ${days} days.`}
        </Text>
      ) : (
        <Stack gap="xs">
          <JsonBlock label="Headers of the answer" value={headers} />
          {answer === null ? (
            <Text c="dimmed">No body.</Text>
          ) : (
            <JsonBlock label="Body of the answer, redacted" value={answer} />
          )}
        </Stack>
      )}
    </Part>
  );
}
