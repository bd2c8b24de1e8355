import { useState } from 'react';
import { dashboardApi, type DashboardSchemas } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';
import type { Currency } from './money';
import { useMode } from './use-mode';
import { usePages } from './use-pages';

export type WalletRow = DashboardSchemas['OverviewWallet'];

export interface WalletFilter {
  /** Part of a label or a reference, a currency, or the beginning or the end of an id. */
  readonly q?: string;
  readonly currency?: Currency;
  readonly status?: 'active' | 'frozen' | 'closed';
}

/** Wallets that the service finds, newest first, and how many there are. */
export function useWallets(wanted: WalletFilter) {
  const mode = useMode();
  return usePages([mode, 'wallets', wanted], (cursor) =>
    bodyOf(dashboardApi.GET('/wallets', { params: { query: { livemode: mode === 'live', ...wanted, cursor } } })),
  );
}

/** The wallet that a form works on: what was picked, as it is now, and until then the newest. */
export function useWalletChoice(wanted: WalletFilter) {
  const list = useWallets(wanted);
  const [picked, pick] = useState<WalletRow | null>(null);
  const wallet = list.rows.find(({ id }) => id === picked?.id) ?? picked ?? list.rows[0] ?? null;
  return { list, wallet, pick };
}

export const walletName = ({ label, currency }: Pick<WalletRow, 'label' | 'currency'>): string =>
  label ?? `${currency} wallet`;
