import { Checkbox, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Loading } from '../../ui/data-table';
import { ProblemAlert } from '../../ui/problem-alert';
import { byGroup, patternsOf, TEST_TYPE, tickedBy, useCatalogue } from './event-catalogue';

interface PickerProps {
  readonly patterns: readonly string[];
  readonly onChange: (patterns: string[]) => void;
}

/** What an endpoint listens to: everything, groups of types, or single ones. */
export function EventPicker({ patterns, onChange }: PickerProps) {
  const isAll = patterns.includes('*');
  return (
    <Stack gap="xs">
      <Switch
        label="All events"
        description="Those to come, too. Turn it off to choose."
        checked={isAll}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
      />
      {!isAll && <Ticks patterns={patterns} onChange={onChange} />}
    </Stack>
  );
}

function Ticks({ patterns, onChange }: PickerProps) {
  const { data, error } = useCatalogue();
  const [wanted, setWanted] = useState('');
  if (error) return <ProblemAlert error={error} />;
  if (!data) return <Loading label="types of events" />;
  const types = data.map(({ type }) => type).filter((type) => type !== TEST_TYPE);
  const ticked = tickedBy(patterns, types);
  const shown = types.filter((type) => type.includes(wanted.trim().toLowerCase()));
  const tick = (some: readonly string[], on: boolean) =>
    onChange(patternsOf(new Set(types.filter((type) => (some.includes(type) ? on : ticked.has(type)))), types));
  return (
    <>
      <TextInput
        label="Search types"
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
        placeholder="failed"
      />
      <div className="event-groups" role="group" aria-label="Types of events">
        {[...byGroup(shown)].map(([group, members]) => {
          const count = members.filter((type) => ticked.has(type)).length;
          return (
            <fieldset key={group}>
              <legend className="visually-hidden">{group}</legend>
              <Checkbox
                label={`${group}: all`}
                fw={600}
                checked={count === members.length}
                indeterminate={count > 0 && count < members.length}
                onChange={(event) => tick(members, event.currentTarget.checked)}
              />
              <div className="event-types">
                {members.map((type) => (
                  <Checkbox
                    key={type}
                    label={type}
                    checked={ticked.has(type)}
                    onChange={(event) => tick([type], event.currentTarget.checked)}
                  />
                ))}
              </div>
            </fieldset>
          );
        })}
        {shown.length === 0 && <Text c="dimmed">No type has that in its name.</Text>}
      </div>
      <Text size="sm" role="status">
        {ticked.size} of {types.length} types{patterns.length > 0 && `: ${patterns.join(', ')}`}
      </Text>
    </>
  );
}
