import { Button } from '@mantine/core';
import { useMode } from './use-mode';

/** `?a=1&b=2` of what is set. */
function query(values: Readonly<Record<string, string | undefined>>): string {
  const set = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

/** A list of the API as a file: the browser fetches it with the session and saves it as it streams. */
export function DownloadCsv({
  path,
  filters = {},
}: {
  path: string;
  filters?: Readonly<Record<string, string | undefined>>;
}) {
  const mode = useMode();
  return (
    <Button
      component="a"
      variant="default"
      href={`/dashboard/api/${mode}${path}${query({ ...filters, format: 'csv' })}`}
      download
    >
      Download CSV
    </Button>
  );
}
