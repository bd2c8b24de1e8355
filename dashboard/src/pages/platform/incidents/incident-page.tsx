import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { Loading } from '../../../ui/data-table';
import { Facts } from '../../../ui/facts';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { When } from '../../../ui/when';
import { Section } from '../section';
import { concernedText } from './concerned';
import { UpdateIncidentForm } from './incident-forms';
import '../../../styles/platform.css';

export function IncidentPage() {
  const operators = useOperators();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'incident', id],
    queryFn: () => bodyOf(operators.api.GET('/operators/incidents/{id}', { params: { path: { id } } })),
  });
  return (
    <>
      <PageHead title={data?.title ?? 'Incident'} />
      <Stack gap="lg">
        <ProblemAlert error={error} />
        {isPending && <Loading label="incident" />}
        {data && (
          <>
            <Facts
              items={[
                ['State', <StatusBadge key="state" status={data.state} />],
                ['Concerns', concernedText(data)],
                ['From', <When key="from" at={data.started_at} />],
                ['To', data.ended_at === null ? 'It goes on' : <When key="to" at={data.ended_at} />],
              ]}
            />
            {data.ended_at === null && (
              <Section title="Say more">
                <UpdateIncidentForm key={data.updates.length} id={data.id} state={data.state} />
              </Section>
            )}
            <Section title="What was said">
              <ol className="timeline">
                {data.updates.map(({ state, note, at }, index) => (
                  <li key={at}>
                    <Text fw={600} component="span">
                      {state}
                    </Text>{' '}
                    <Text size="sm" c="dimmed" component="span">
                      <When at={at} /> · {data.people[index]}
                    </Text>
                    <Text size="sm" className="note">
                      {note}
                    </Text>
                  </li>
                ))}
              </ol>
            </Section>
          </>
        )}
      </Stack>
    </>
  );
}
