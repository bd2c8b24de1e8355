import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { bodyOf } from '../../../api/public-api';
import { useOperators } from '../../../session/cells';
import { type Column, DataTable, Loading } from '../../../ui/data-table';
import { Dialog } from '../../../ui/dialog';
import { useFilters } from '../../../ui/use-filters';
import { AnchorLink } from '../../../ui/links';
import { PageHead } from '../../../ui/page-head';
import { ProblemAlert } from '../../../ui/problem-alert';
import { StatusBadge } from '../../../ui/status-badge';
import { useMode } from '../../../ui/use-mode';
import { useNewForm } from '../../../ui/use-new-form';
import { Ago, When } from '../../../ui/when';
import { Section } from '../section';
import { concernedText } from './concerned';
import { type Incident, OpenIncidentForm } from './incident-forms';

/** What partners are told while something does not work, and were told before. */
export function IncidentsPage() {
  const operators = useOperators();
  const mode = useMode();
  const navigate = useNavigate();
  const { product, network } = useFilters();
  const [opening, { open, close }] = useNewForm();
  const { data, error, isPending } = useQuery({
    queryKey: [...operators.key, 'incidents'],
    queryFn: () => bodyOf(operators.api.GET('/operators/incidents')),
  });
  const show = ({ id }: Incident) => void navigate({ to: '/$mode/incidents/$id', params: { mode, id } });
  const columns = columnsFor(mode);
  return (
    <>
      <PageHead title="Incidents">
        <Button onClick={open}>Open an incident</Button>
      </PageHead>
      <Stack gap="lg">
        <Text size="sm" c="dimmed">
          What stands here is read by every partner, as a bar on their pages and at{' '}
          <Anchor href="/status" target="_blank">
            /status
          </Anchor>
          , which needs no log-in.
        </Text>
        <ProblemAlert error={error} />
        {isPending && <Loading label="incidents" />}
        {data && (
          <>
            <Section title="Open">
              <DataTable
                caption="Open incidents"
                rows={data.data.filter(({ ended_at }) => ended_at === null)}
                keyOf={({ id }) => id}
                empty="Everything works, as far as partners are told."
                columns={columns}
              />
            </Section>
            <Section title="Over">
              <DataTable
                caption="Incidents of the last year"
                rows={data.data.filter(({ ended_at }) => ended_at !== null)}
                keyOf={({ id }) => id}
                empty="None in the last year."
                columns={columns}
              />
            </Section>
          </>
        )}
      </Stack>
      <Dialog opened={opening} onClose={close} title="Open an incident">
        <OpenIncidentForm product={product} network={network} onOpened={show} />
      </Dialog>
    </>
  );
}

const columnsFor = (mode: 'test' | 'live'): Column<Incident>[] => [
  {
    title: 'Incident',
    place: 'what',
    cell: ({ id, title }) => (
      <AnchorLink to="/$mode/incidents/$id" params={{ mode, id }}>
        {title}
      </AnchorLink>
    ),
  },
  { title: 'Concerns', place: 'who', cell: concernedText },
  { title: 'State', place: 'state', cell: ({ state }) => <StatusBadge status={state} /> },
  { title: 'Since', cell: ({ started_at }) => <When at={started_at} /> },
  { title: 'Last word', place: 'time', cell: ({ updated_at }) => <Ago at={updated_at} /> },
];
