import { Kbd, Modal, Stack, Switch, Title } from '@mantine/core';
import { useState } from 'react';
import { areKeysOn, PAGE_KEYS, switchKeys } from './keys';
import { usePagesOffered } from './navigation';
import '../styles/search.css';

const ANYWHERE = [
  [['Ctrl', 'K'], 'Search, pages and actions'],
  [['/'], 'The same'],
  [['?'], 'These keys'],
  [['Esc'], 'Close what is open'],
] as const;

/** Which keys there are. */
export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areKeysOn);
  const offered = usePagesOffered().flatMap(({ pages }) => pages);
  const pages = Object.entries(PAGE_KEYS).flatMap(([key, page]) =>
    offered.filter((known) => known.page === page).map(({ label }) => [['g', key], label] as const),
  );
  return (
    <Modal opened onClose={onClose} title="Keys">
      <Stack>
        <Keys title="Anywhere" keys={ANYWHERE} />
        <Keys title="To a page: one after the other" keys={pages} />
        <Switch
          label="Keys of one letter"
          description="Off, they do nothing; Ctrl K works all the same"
          checked={on}
          onChange={({ currentTarget }) => {
            switchKeys(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />
      </Stack>
    </Modal>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [readonly string[], string])[] }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="h6" mb={4}>
        {title}
      </Title>
      <dl className="key-list">
        {keys.map(([names, meaning]) => (
          <div key={names.join(' ')}>
            <dt>
              {names.map((name) => (
                <Kbd key={name}>{name}</Kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
