import type { Client } from 'openapi-fetch';
import type { components, paths } from './dashboard-schema';
import { connect } from './public-api';

/** What the dashboard's own routes take and answer. They are no part of the public API. */
export type DashboardSchemas = components['schemas'];

export type Permission = DashboardSchemas['Allowed']['dashboard'][number];
export type Scope = NonNullable<DashboardSchemas['Allowed']['test']>[number];
export type Role = DashboardSchemas['Member']['role'];

type OfOperators = Extract<keyof paths, `/operators/${string}`>;

/** The dashboard's own routes; those of the public API go through `publicApi`, those of operators by `useOperators`. */
export const dashboardApi = connect<Omit<paths, OfOperators>>('/dashboard/api');

export type OperatorsApi = Client<Pick<paths, OfOperators>>;

/** Routes of operators, answered by the cell of that name; null: by that of the session. */
export const operatorsApi = (cell: string | null): OperatorsApi =>
  connect('/dashboard/api', cell === null ? {} : { 'duka-cell': cell });
