import type { DashboardSchemas } from '../../../api/dashboard-api';

export type History = DashboardSchemas['ProviderHistory'];

export interface HistoryQuery {
  readonly product: DashboardSchemas['ProviderRoute']['product'];
  readonly provider: string;
  readonly livemode: boolean;
  readonly hours: '24' | '168' | '720';
}

/** "98.5 %"; of nothing there is no share. */
export const shareText = (part: number | null, whole: number | null): string =>
  part === null || !whole ? '–' : `${((part / whole) * 100).toFixed(1)} %`;
