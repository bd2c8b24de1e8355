import { Button } from '@mantine/core';
import { query } from '../api/dashboard-api';
import { useMode } from './use-mode';

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
