import './core/process/require-node';
import { AppModule } from './app.module';
import { isStartedByNpm, loadEnv } from './core/config/env';
import { createHttpApp, serveOnly, WATCHED } from './core/http/configure-http';
import { closeApp, runProcess } from './core/process/lifetime';
import { requireFreePort } from './core/process/ports';

// The queues as servers run them: the same modules as the API, and of its routes those that watch a process.
runProcess(async (lifetime) => {
  // In production nothing stands between the supervisor and this process; in a terminal it may be npm.
  if (isStartedByNpm()) lifetime.endWithParent();
  const env = loadEnv({ oneOf: ['DATABASE_APP_URL', 'DATABASE_URL'] });
  lifetime.isService = true;
  lifetime.graceSeconds = env.SHUTDOWN_GRACE_SECONDS;
  env.WORKER_IN_API = true;
  await requireFreePort(env.HOST, env.WORKER_PORT, 'WORKER_PORT');
  const app = await lifetime.own(createHttpApp(AppModule.register(env), env), closeApp);
  serveOnly(app, (route) => WATCHED.has(route));
  await app.listen(env.WORKER_PORT, env.HOST);
});
