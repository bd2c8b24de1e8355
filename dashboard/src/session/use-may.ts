import type { Permission, Scope } from '../api/dashboard-api';
import { useLivemode, useMode } from '../ui/use-mode';
import { useMe } from './session';

export interface May {
  /** At the dashboard itself. */
  readonly hasPermission: (permission: Permission) => boolean;
  /** Of the public API, in the current mode. */
  readonly hasScope: (scope: Scope) => boolean;
}

/** What the role allows, so that nothing else is offered. The service decides. */
export function useMay(): May {
  const { may } = useMe();
  const scopes = may[useMode()];
  return {
    hasPermission: (permission) => may.dashboard.includes(permission),
    hasScope: (scope) => scopes === null || scopes.includes(scope),
  };
}

/** Keys of live mode have a permission of their own. */
export function useMayWriteKeys(): boolean {
  const { hasPermission } = useMay();
  return hasPermission(useLivemode() ? 'live_keys:write' : 'keys:write');
}
