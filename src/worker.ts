import './core/process/require-node';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { loadEnv } from './core/config/env';
import { createLog, NestLog } from './core/logging/log';
import { closeApp } from './core/process/close-app';
import { runProcess } from './core/process/lifetime';

// The queues as servers run them: the same modules as the API, and no port.
runProcess(async (lifetime) => {
  const env = loadEnv({ oneOf: ['DATABASE_APP_URL', 'DATABASE_URL'] });
  lifetime.graceSeconds = env.SHUTDOWN_GRACE_SECONDS;
  env.WORKER_IN_API = true;
  const context = NestFactory.createApplicationContext(AppModule.register(env), {
    abortOnError: false,
    logger: new NestLog(createLog(env)),
  });
  await lifetime.own(context, closeApp);
});
