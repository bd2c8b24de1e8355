import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { found } from '../core/errors/not-found';
import type { RoutedProduct } from './registry';

/** Which provider is asked for what. */
export interface RouteKey {
  readonly product: RoutedProduct;
  readonly network: string;
  readonly livemode: boolean;
  readonly provider: string;
}

export interface StoredRoute extends RouteKey {
  readonly position: number;
  readonly weight: number;
  readonly enabled: boolean;
}

/** Calls of one kind to one provider that ended alike. */
export interface CallCount {
  readonly product: string;
  readonly provider: string;
  readonly livemode: boolean;
  readonly call: string;
  readonly outcome: string;
  readonly calls: number;
  /** Mean, in milliseconds. */
  readonly meanMs: number;
  /** Start of the last minute in which there was one. */
  readonly lastAt: Date;
}

const ROUTES = `
  SELECT product, network, livemode, provider, position, weight, enabled FROM provider_routes
   ORDER BY livemode DESC, product, network, position, provider`;
const CALLS = `
  SELECT product, provider, livemode, call, outcome, sum(calls)::integer AS calls,
         (sum(milliseconds) / sum(calls))::float AS "meanMs", max(minute) AS "lastAt"
    FROM provider_calls WHERE minute >= now() - make_interval(mins => $1)
   GROUP BY product, provider, livemode, call, outcome ORDER BY product, provider, livemode, call, outcome`;
const SWITCH = `
  UPDATE provider_routes SET enabled = $5
   WHERE product = $1 AND network = $2 AND livemode = $3 AND provider = $4 RETURNING 1`;

/** How those are doing who carry things out for us, and whether they are asked. */
@Injectable()
export class ProviderHealth {
  constructor(private readonly dataSource: DataSource) {}

  routes(): Promise<StoredRoute[]> {
    return this.dataSource.query(ROUTES);
  }

  /** Of the last so many minutes; what happened within the last five seconds may not be counted yet. */
  calls(minutes: number): Promise<CallCount[]> {
    return this.dataSource.query(CALLS, [minutes]);
  }

  /** From a second later on nobody new is asked there, or asked again; what is under way goes on. Throws `NotFound`. */
  async enable({ product, network, livemode, provider }: RouteKey, enabled: boolean): Promise<void> {
    const [rows]: [unknown[], number] = await this.dataSource.query(SWITCH, [
      product,
      network,
      livemode,
      provider,
      enabled,
    ]);
    found(rows[0], 'route');
  }
}
