import { Group, NativeSelect } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { type Cell, useCells, useChosenCell, useSeveralCells, useShownCell } from '../session/cells';
import { useMode } from '../ui/use-mode';

/** About all cells, or the same in all of them: nothing to choose. */
const OF_ALL: ReadonlySet<string> = new Set(['cells', 'incidents', 'fees', 'catalogue']);

/** The pages of the platform, of the cell that is chosen. With one cell there is nothing but the page. */
export function PlatformLayout() {
  const cell = useChosenCell();
  const [, , page = '', thing] = useLocation().pathname.split('/');
  const isOffered = useSeveralCells() && !OF_ALL.has(page);
  return (
    <>
      {isOffered && <CellSwitch list={thing === undefined ? null : page} />}
      {/* What was typed or opened for one cell is nothing to begin with in another. */}
      <Outlet key={cell} />
    </>
  );
}

/** Leads to the same page of another cell; to the `list`, from a page of one thing that only this cell has. */
function CellSwitch({ list }: { list: string | null }) {
  const mode = useMode();
  const navigate = useNavigate();
  const cells = useCells();
  const shown = useShownCell();
  const isKnown = shown === null || cells.some(({ name }) => name === shown);
  return (
    <Group justify="flex-end" mb="xs">
      <NativeSelect
        aria-label="Cell"
        size="sm"
        value={shown ?? ''}
        data={[
          ...(isKnown ? [] : [{ value: shown, label: `Cell ${shown}` }]),
          ...cells.map((cell) => ({ value: cell.name, label: labelOf(cell) })),
        ]}
        onChange={({ currentTarget: { value: cell } }) =>
          void (list === null
            ? navigate({ to: '.', search: ((before: object) => ({ ...before, cell })) as never })
            : navigate({ to: `/${mode}/${list}` as '/$mode', params: { mode }, search: { cell } as never }))
        }
      />
    </Group>
  );
}

const labelOf = ({ name, own, answers }: Cell): string =>
  `Cell ${name}${own ? ', yours' : ''}${answers ? '' : ', away'}`;
