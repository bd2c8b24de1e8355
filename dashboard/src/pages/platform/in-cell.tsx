import { useShownCell } from '../../session/cells';

/** Behind a sentence about a change: where it is made, where there is more than one cell. */
export function InCell() {
  const cell = useShownCell();
  return cell !== null && ` In the cell ${cell}.`;
}
