import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Env } from '../config/env';
import { Readiness } from '../health/readiness';
import { clientConfig, dataSourceOptions } from './options';
import { Partitions } from './partitions';
import { Pipeline } from './pipeline';
import { UnitOfWork } from './unit-of-work';

/** The pipelined connection for single statements on hot paths. */
@Injectable()
export class ReadPipeline extends Pipeline implements OnApplicationShutdown {
  constructor(env: Env, readiness: Readiness) {
    super(clientConfig(env));
    readiness.watch('postgresql', () => this.query({ name: 'ready', text: 'SELECT 1' }, []));
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
      useFactory: (env: Env) => ({ ...dataSourceOptions(env), autoLoadEntities: true, retryAttempts: 20, retryDelay: 500 }),
    }),
  ],
  providers: [UnitOfWork, ReadPipeline, Partitions],
  exports: [UnitOfWork, ReadPipeline],
})
export class DatabaseModule {}
