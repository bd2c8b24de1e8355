import { Kbd, Loader, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { dashboardApi } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';
import { useSay } from '../ui/announcer';
import { ProblemAlert } from '../ui/problem-alert';
import { useMode } from '../ui/use-mode';
import { useActions, usePageEntries } from './search-actions';
import { askedOf, type Entry, hrefOf, isMeant, type Section, sectionsOf } from './search-entries';
import { Foot, Option } from './search-lines';
import { useRecent } from './search-recent';
import '../styles/search.css';

const TYPING_MS = 150;
const ASKED_MIN = 2;

/** Pages, actions, and one search over everything that the account has. */
export default function SearchDialog({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const [typed, setTyped] = useState('');
  const { sections, isPending, isOld, answer, error } = useSections(typed.trim(), onHelp);
  const entries = useMemo(() => sections.flatMap((section) => section.entries), [sections]);
  const choose = useChoose(onClose);
  const cursor = useCursor(entries, isPending, choose);
  const list = useId();
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="8vh" transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search" className="search">
        <TextInput
          data-autofocus
          ref={focus}
          role="combobox"
          aria-label="Search"
          aria-expanded
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={cursor.active && optionId(list, cursor.active)}
          placeholder="A page, an action, an id, a number, an amount, a name …"
          variant="unstyled"
          size="md"
          px="md"
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={cursor.onKeyDown}
          rightSection={isPending ? <Loader size="xs" aria-hidden /> : <Kbd size="xs">Esc</Kbd>}
          rightSectionWidth={52}
        />
        <div className={isOld ? 'search-list rows-before' : 'search-list'} role="listbox" aria-label="Found" id={list}>
          {sections.map(({ title, entries: lines }) => (
            <div key={title} role="group" aria-label={title}>
              <div className="search-title" aria-hidden="true">
                {title}
              </div>
              {lines.map((entry) => (
                <Option
                  key={entry.key}
                  entry={entry}
                  id={optionId(list, entry)}
                  isActive={entry === cursor.active}
                  onPoint={() => cursor.point(entry)}
                  onChoose={(inNewTab) => choose(entry, inNewTab)}
                />
              ))}
            </div>
          ))}
        </div>
        <ProblemAlert error={error} />
        <Foot isPending={isPending} count={entries.length} typed={typed.trim()} answer={answer} />
      </Modal.Content>
    </Modal.Root>
  );
}

/** At once: who goes on typing loses no letter. */
const focus = (field: HTMLInputElement | null) => field?.focus();

const optionId = (list: string, { key }: Entry): string => `${list}-${key.replaceAll(/\W/g, '-')}`;

/** What there is to choose: of nothing typed what was opened last, else what matches. */
function useSections(typed: string, onHelp: () => void) {
  const mode = useMode();
  const actions = useActions(onHelp);
  const pages = usePageEntries();
  const { recent } = useRecent();
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const isAsked = settled.length >= ASKED_MIN && typed.length >= ASKED_MIN;
  const q = askedOf(settled);
  const found = useQuery({
    queryKey: [mode, 'find', q],
    queryFn: ({ signal }) => bodyOf(dashboardApi.GET('/search', { params: { query: { mode, q } }, signal })),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const answer = isAsked ? found.data : undefined;
  const sections: readonly Section[] = [
    { title: 'Recent', entries: typed ? [] : recent.map(({ id, ...opened }) => ({ key: `recent ${id}`, ...opened })) },
    { title: 'Pages', entries: pages.filter(({ title }) => isMeant(title, typed)) },
    { title: 'Actions', entries: actions.filter(({ title }) => isMeant(title, typed)) },
    ...sectionsOf(answer, mode, q),
  ].filter(({ entries }) => entries.length > 0);
  const isPending = typed.length >= ASKED_MIN && (settled !== typed || found.isFetching);
  return { sections, isPending, isOld: isPending && answer !== undefined, answer, error: isAsked ? found.error : null };
}

/** Goes there, or does it. */
function useChoose(onClose: () => void) {
  const navigate = useNavigate();
  const say = useSay();
  const { remember } = useRecent();
  return ({ hit, title, note, place, run }: Entry, inNewTab = false) => {
    if (hit && place) remember({ id: hit.id, title, note: note ?? hit.id, place });
    if (inNewTab && place) return void window.open(hrefOf(place), '_blank', 'noopener');
    onClose();
    if (run) return run();
    if (place) {
      const { path, search = {}, hash } = place;
      return void navigate({ to: path as '/', search: search as never, hash });
    }
    // It has no page: its id is what one can do something with.
    void navigator.clipboard?.writeText(hit!.id).then(() => say(`${hit!.id} is copied.`));
  };
}

/** The line that Enter chooses; the first until somebody moves. */
function useCursor(entries: readonly Entry[], isPending: boolean, choose: (entry: Entry, inNewTab?: boolean) => void) {
  const [key, setKey] = useState<string | null>(null);
  const waits = useRef(false);
  const at = Math.max(
    entries.findIndex((entry) => entry.key === key),
    0,
  );
  const active = entries[at];
  useEffect(() => {
    document.querySelector('.search [aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  // Who pastes an id and presses Enter does not wait for the answer.
  useEffect(() => {
    if (isPending || !waits.current) return;
    waits.current = false;
    if (active) choose(active);
  });
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1 + entries.length,
    PageDown: Math.min(at + 8, entries.length - 1),
    PageUp: Math.max(at - 8, 0),
  };
  return {
    active,
    point: (entry: Entry) => setKey(entry.key),
    onKeyDown(event: KeyboardEvent) {
      waits.current = false;
      const step = steps[event.key];
      const next = step === undefined ? undefined : entries[step % entries.length];
      if (event.key !== 'Enter' && !next) return setKey((before) => (event.key.length === 1 ? null : before));
      event.preventDefault();
      if (next) return setKey(next.key);
      if (event.nativeEvent.isComposing) return;
      if (isPending && (!active || active.hit)) waits.current = true;
      else if (active) choose(active, event.ctrlKey || event.metaKey);
    },
  };
}
