import type { INestApplicationContext } from '@nestjs/common';
import { Readiness } from '../health/readiness';

/** Not ready at once, so that no new work is sent here; then requests in flight, batches and jobs finish. */
export async function closeApp(app: INestApplicationContext): Promise<void> {
  app.get(Readiness, { strict: false }).stop();
  await app.close();
}
