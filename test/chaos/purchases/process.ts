import { type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../../src/app.module';
import { type Env, loadEnv } from '../../../src/core/config/env';
import { createHttpApp } from '../../../src/core/http/configure-http';
import { createLog, NestLog } from '../../../src/core/logging/log';
import { closeApp, runProcess } from '../../../src/core/process/lifetime';
import { ChaosProviderModule } from './chaos-sellers';

/** The service with two sellers more. */
@Module({})
class ChaosModule {
  static register(env: Env, operatorUrl: string): DynamicModule {
    return { module: ChaosModule, imports: [AppModule.register(env), ChaosProviderModule.register(operatorUrl)] };
  }
}

// Without its runner nobody would end this process.
process.on('disconnect', () => process.exit(1));

// A process of the service as `main.ts` or `worker.ts` starts it. Arguments: `api` or `worker`, and where the operator is.
runProcess(async (lifetime) => {
  const [role, operatorUrl] = process.argv.slice(2);
  const env = loadEnv({ required: ['DATABASE_URL'] });
  lifetime.isService = true;
  lifetime.graceSeconds = env.SHUTDOWN_GRACE_SECONDS;
  env.WORKER_IN_API = role === 'worker';
  const root = ChaosModule.register(env, operatorUrl!);
  if (role === 'worker') {
    const context = NestFactory.createApplicationContext(root, {
      abortOnError: false,
      logger: new NestLog(createLog(env)),
    });
    await lifetime.own(context, closeApp);
  } else {
    const app = await lifetime.own(createHttpApp(root, env), closeApp);
    await app.listen(env.PORT, env.HOST);
  }
});
