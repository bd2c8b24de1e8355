import './core/process/require-node';
import { isStartedByNpm, loadEnv } from './core/config/env';
import { CannotStart } from './core/errors/cannot-start';
import { closeApp, runProcess } from './core/process/lifetime';
import { requireFreePort } from './core/process/ports';
import { isLoopback } from './core/text/ip-address';
import { createPlatformApp } from './platform-app';

// What operators do, over HTTP: a process of its own, as it may do what the public API may not.
runProcess(async (lifetime) => {
  // In production nothing stands between the supervisor and this process; in a terminal it may be npm.
  if (isStartedByNpm()) lifetime.endWithParent();
  const env = loadEnv({ required: ['DATABASE_URL'] });
  lifetime.isService = true;
  lifetime.graceSeconds = env.SHUTDOWN_GRACE_SECONDS;
  if (!isLoopback(env.PLATFORM_HOST) && !env.PLATFORM_ALLOW_REMOTE) {
    throw new CannotStart(
      `PLATFORM_HOST=${env.PLATFORM_HOST} is reached by other machines, and keys of operators open everything: use ` +
        '127.0.0.1, or set PLATFORM_ALLOW_REMOTE=true.',
    );
  }
  await requireFreePort(env.PLATFORM_HOST, env.PLATFORM_PORT, 'PLATFORM_PORT');
  const app = await lifetime.own(createPlatformApp(env), closeApp);
  await app.listen(env.PLATFORM_PORT, env.PLATFORM_HOST);
});
