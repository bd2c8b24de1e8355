import { Global, Injectable, Module, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../config/env';
import { CannotStart } from '../errors/cannot-start';
import { Readiness } from '../health/readiness';
import { APPLICATION_ROLE, clientConfig, dataSourceOptions } from './options';
import { Partitions } from './partitions';
import { Pipeline } from './pipeline';
import { UnitOfWork } from './unit-of-work';

/** The pipelined connection for single statements on hot paths. */
@Injectable()
export class ReadPipeline extends Pipeline implements OnApplicationShutdown {
  constructor(env: Env, readiness: Readiness) {
    super(clientConfig(env));
    // On a server that takes no changes (a replica, a failover) it fails.
    readiness.watch('postgresql', () =>
      this.query({ name: 'ready', text: `SELECT 1 / (current_setting('transaction_read_only') = 'off')::integer` }, []),
    );
  }

  onApplicationShutdown(): Promise<void> {
    return this.end();
  }
}

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Env],
      useFactory: (env: Env) => ({
        ...dataSourceOptions(env),
        autoLoadEntities: true,
        retryAttempts: 20,
        retryDelay: 500,
      }),
    }),
  ],
  providers: [UnitOfWork, ReadPipeline, Partitions],
  exports: [UnitOfWork, ReadPipeline],
})
export class DatabaseModule implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  /** A role is as strong as the login behind it: `RESET ROLE` leads there. */
  async onModuleInit(): Promise<void> {
    const [{ login, tooStrong }] = await this.dataSource.query(LOGIN_RIGHTS, [APPLICATION_ROLE]);
    if (tooStrong)
      throw new CannotStart(
        `The login ${login} of DATABASE_APP_URL may change entries: give it one that owns nothing, which npm run ` +
          'migrate makes.',
      );
  }
}

const LOGIN_RIGHTS = `
  SELECT session_user AS login,
         current_user = $1
           AND has_table_privilege(session_user, 'ledger_entries', 'UPDATE, DELETE, TRUNCATE') AS "tooStrong"`;
