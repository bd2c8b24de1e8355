import './core/process/require-node';
import { AppModule } from './app.module';
import { isStartedByNpm, loadEnv } from './core/config/env';
import { createHttpApp } from './core/http/configure-http';
import { closeApp, runProcess } from './core/process/lifetime';
import { requireFreePort } from './core/process/ports';

// The API as servers run it: PostgreSQL is theirs, and it is migrated before (`npm run migrate`).
runProcess(async (lifetime) => {
  // In production nothing stands between the supervisor and this process; in a terminal it may be npm.
  if (isStartedByNpm()) lifetime.endWithParent();
  const env = loadEnv({ oneOf: ['DATABASE_APP_URL', 'DATABASE_URL'] });
  lifetime.isService = true;
  lifetime.graceSeconds = env.SHUTDOWN_GRACE_SECONDS;
  await requireFreePort(env.HOST, env.PORT);
  const app = await lifetime.own(createHttpApp(AppModule.register(env), env), closeApp);
  await app.listen(env.PORT, env.HOST);
});
