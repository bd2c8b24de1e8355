import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useMode } from '../ui/use-mode';
import { useKeys } from './keys';
import { usePagesOffered } from './navigation';

const SearchDialog = lazy(() => import('./search-dialog'));
const KeysDialog = lazy(() => import('./keys-dialog'));

/** The button that opens the search, and the keys of all pages. */
export function Search() {
  const [opened, setOpened] = useState<'search' | 'keys' | null>(null);
  const navigate = useNavigate();
  const mode = useMode();
  const offered = usePagesOffered().flatMap(({ pages }) => pages);
  useKeys({
    onSearch: () => setOpened('search'),
    onHelp: () => setOpened('keys'),
    onPage: (page) =>
      offered.some((known) => known.page === page) &&
      void navigate({ to: `/${mode}/${page}` as '/$mode', params: { mode } }),
  });
  return (
    <>
      <UnstyledButton
        className="search-button"
        onClick={() => setOpened('search')}
        aria-label="Search"
        aria-keyshortcuts="Control+K"
        title="Search (Ctrl K)"
      >
        <IconSearch size={16} stroke={1.6} aria-hidden="true" />
        <span className="search-hint">Search</span>
      </UnstyledButton>
      <Suspense fallback={null}>
        {opened === 'search' && <SearchDialog onClose={() => setOpened(null)} onHelp={() => setOpened('keys')} />}
        {opened === 'keys' && <KeysDialog onClose={() => setOpened(null)} />}
      </Suspense>
    </>
  );
}
