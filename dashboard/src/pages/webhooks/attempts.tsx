import { Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/public-api';
import { JsonBlock } from '../../ui/copy-field';
import '../../styles/webhooks.css';
import { failureText } from './failure-text';
import { When } from '../../ui/when';

type Attempt = Schemas['DeliveryAttempt'];

/** Each attempt of a delivery: what was sent, what was answered, and how long it took. */
export function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <Text c="dimmed">Not sent yet.</Text>;
  return (
    <ol className="timeline">
      {attempts.map((attempt) => (
        <li key={attempt.number}>
          <One attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

function One({ attempt }: { attempt: Attempt }) {
  const { number, code, http_status, duration_ms, url, response_body, created_at } = attempt;
  return (
    <Stack gap="xs">
      <div>
        <Text fw={600} component="span">
          {http_status ? `HTTP ${http_status}` : code.replaceAll('_', ' ')}
        </Text>{' '}
        <Text size="sm" c="dimmed" component="span">
          Attempt {number} · <When at={created_at} /> · {duration_ms} ms · to {url}
        </Text>
        {code !== 'ok' && <Text size="sm">{failureText(code, http_status)}</Text>}
      </div>
      <div className="sides">
        <Headers title="Sent headers" headers={attempt.request_headers} number={number} />
        <Headers title="Answered headers" headers={attempt.response_headers} number={number} />
      </div>
      {response_body ? (
        <JsonBlock label={`Answer to attempt ${number}`} value={pretty(response_body)} />
      ) : (
        <Text size="sm">{http_status ? 'The answer had no body.' : 'There was no answer.'}</Text>
      )}
    </Stack>
  );
}

interface HeadersProps {
  readonly title: string;
  readonly number: number;
  readonly headers: Readonly<Record<string, string>> | null;
}

function Headers({ title, headers, number }: HeadersProps) {
  return (
    <section aria-label={`${title} of attempt ${number}`}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {headers ? (
        <dl className="headers id">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Text size="sm" c="dimmed">
          None were kept.
        </Text>
      )}
    </section>
  );
}

function pretty(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
