/**
 * With `CELLS=3`: files, or tests (`file: name`), that are about one process and so ask the cell itself, and why.
 */
export const ASKED_DIRECTLY: Readonly<Record<string, string>> = {};
