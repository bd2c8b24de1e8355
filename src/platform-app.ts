import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';
import type { Env } from './core/config/env';
import { asOwner } from './core/database/options';
import { createHttpApp, serveOnly, WATCHED } from './core/http/configure-http';
import { PLATFORM_PATH, PlatformDoor } from './core/http/doors';
import { PlatformController } from './modules/platform/platform.controller';
import { PlatformKeys } from './modules/platform/platform-keys.service';

/** The operators' API: as the owner of the database, like their commands, and without any route of the public API. */
export async function createPlatformApp(given: Env): Promise<NestFastifyApplication> {
  const env = Object.assign(asOwner(given), { WORKER_IN_API: false });
  const app = await createHttpApp(AppModule.register(env, PlatformController), env);
  app.get(PlatformDoor).keptBy((secret) => app.get(PlatformKeys).use(secret));
  serveOnly(app, (route) => WATCHED.has(route) || route.startsWith(PLATFORM_PATH));
  return app;
}
