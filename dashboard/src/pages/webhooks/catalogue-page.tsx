import { Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { bodyOf, type Schemas } from '../../api/public-api';
import { CopyField } from '../../ui/copy-field';
import { Loading } from '../../ui/data-table';
import { FilterBar } from '../../ui/filters';
import { useFilters } from '../../ui/use-filters';
import { AnchorLink, IdLink } from '../../ui/links';
import { PageHead } from '../../ui/page-head';
import { ProblemAlert } from '../../ui/problem-alert';
import { useApi, useMode } from '../../ui/use-mode';
import '../../styles/webhooks.css';
import { byGroup, type EventEntry, useCatalogue } from './event-catalogue';

/** Every type of event: what it carries, as a schema and as a sample. */
export function CataloguePage() {
  const { data, error } = useCatalogue();
  const { q = '', type } = useFilters();
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="event catalogue" />;
  const shown = data.filter((entry) => entry.type.includes(q.toLowerCase()));
  const chosen = data.find((entry) => entry.type === type) ?? shown[0];
  return (
    <>
      <PageHead title="Event catalogue" />
      <FilterBar fields={[{ name: 'q', label: 'Search types' }]} />
      {shown.length === 0 && <Text c="dimmed">No type has that in its name.</Text>}
      <div className="catalogue">
        <Types entries={shown} chosen={chosen?.type} />
        {chosen && <Entry key={chosen.type} entry={chosen} />}
      </div>
    </>
  );
}

function Types({ entries, chosen }: { entries: readonly EventEntry[]; chosen: string | undefined }) {
  const mode = useMode();
  const { q } = useFilters();
  return (
    <nav className="catalogue-types" aria-label="Types of events">
      {[...byGroup(entries.map(({ type }) => type))].map(([group, types]) => (
        <section key={group} aria-label={group}>
          <Text size="sm" fw={600} c="dimmed">
            {group.replaceAll('_', ' ')}
          </Text>
          <ul>
            {types.map((type) => (
              <li key={type}>
                <AnchorLink
                  to="/$mode/webhooks/catalogue"
                  params={{ mode }}
                  search={{ q, type } as never}
                  resetScroll={false}
                  aria-current={type === chosen ? 'true' : undefined}
                >
                  {type}
                </AnchorLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function Entry({ entry: { type, schema, sample } }: { entry: EventEntry }) {
  const mode = useMode();
  return (
    <Stack>
      <Title order={2} size="h3" className="page-title">
        {type}
      </Title>
      <Text size="sm" component="div">
        <AnchorLink to="/$mode/events" params={{ mode }} search={{ type } as never}>
          Your events of this type
        </AnchorLink>
        <Newest type={type} />
      </Text>
      <CopyField label="Sample" value={JSON.stringify(sample, null, 2)} />
      <CopyField label="JSON schema" value={JSON.stringify(schema, null, 2)} />
    </Stack>
  );
}

/** The sample that says most: what really happened. */
function Newest({ type }: { type: string }) {
  const mode = useMode();
  const api = useApi();
  const query = { type: type as Schemas['Event']['type'], limit: 1 };
  const { data } = useQuery({
    queryKey: [mode, 'newest-event', type],
    queryFn: () => bodyOf(api.GET('/v4/events', { params: { query } })),
  });
  const newest = data?.data[0];
  if (!newest) return null;
  return (
    <>
      , the newest is <IdLink id={newest.id} />
    </>
  );
}
