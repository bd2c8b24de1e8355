import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Env } from '../../core/config/env';
import { clientConfig } from '../../core/database/options';
import { Pipeline, type PreparedQuery } from '../../core/database/pipeline';

/** Connections of their own for what every delivery needs: no round trip for a transaction of one statement, and no waiting for the pool. */
@Injectable()
export class DeliveryStatements implements OnApplicationShutdown {
  private readonly claims: Pipeline;
  private readonly results: Pipeline;

  constructor(env: Env) {
    const config = clientConfig(env);
    // A crash of PostgreSQL may take the last claims back: at worst, what was posted since then comes again.
    this.claims = new Pipeline({ ...config, options: `${config.options} -c synchronous_commit=off` });
    this.results = new Pipeline(config);
  }

  async claim<R extends QueryResultRow>(query: PreparedQuery, params: unknown[]): Promise<R[]> {
    return (await this.claims.query<R>(query, params)).rows;
  }

  async record<R extends QueryResultRow>(query: PreparedQuery, params: unknown[]): Promise<R[]> {
    return (await this.results.query<R>(query, params)).rows;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.claims.end(), this.results.end()]);
  }
}
