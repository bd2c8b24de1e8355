import { Button } from '@mantine/core';
import { useMode } from './use-mode';

type Filters = Readonly<Record<string, string | number | boolean | undefined>>;

/** `?a=1&b=2` of what is set. */
function query(values: Filters): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return set.length === 0
    ? ''
    : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}

interface DownloadCsvProps {
  readonly path: string;
  readonly filters?: Filters;
  /** A route of the dashboard itself, which always answers a file. */
  readonly own?: boolean;
  readonly label?: string;
}

/** A list as a file: the browser fetches it with the session and saves it as it streams. */
export function DownloadCsv({ path, filters = {}, own = false, label = 'Download CSV' }: DownloadCsvProps) {
  const mode = useMode();
  const href = own
    ? `/dashboard/api${path}${query({ ...filters, livemode: mode === 'live' })}`
    : `/dashboard/api/${mode}${path}${query({ ...filters, format: 'csv' })}`;
  return (
    <Button component="a" variant="default" href={href} download>
      {label}
    </Button>
  );
}
