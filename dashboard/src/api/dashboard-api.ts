import type { components, paths } from './dashboard-schema';
import { connect } from './public-api';

/** What the dashboard's own routes take and answer. They are no part of the public API. */
export type DashboardSchemas = components['schemas'];

export type Permission = DashboardSchemas['Allowed']['dashboard'][number];
export type Scope = NonNullable<DashboardSchemas['Allowed']['test']>[number];
export type Role = DashboardSchemas['Member']['role'];

/** The dashboard's own routes; those of the public API go through `publicApi`. */
export const dashboardApi = connect<paths>('/dashboard/api');
