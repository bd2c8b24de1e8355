import type { Lifetime } from '../../src/core/process/lifetime';
import { freePort } from '../../src/core/process/ports';
import { PostgresProxy } from '../support/postgres-proxy';
import { Member } from './cards/member';
import { Service } from './service';

export interface Stage {
  readonly service: Service;
  readonly worker: Member;
  /** Between the processes and PostgreSQL. */
  readonly wire: PostgresProxy;
}

/**
 * API and worker, each a process, behind a wire to PostgreSQL that can be cut. `settings`: of whatever is launched from here
 * on, also when they are changed later. `databaseUrl`: a server of the caller's.
 */
export async function setStage(lifetime: Lifetime, settings: NodeJS.ProcessEnv, databaseUrl?: string): Promise<Stage> {
  Object.assign(settings, { WORKER_IN_API: 'false', WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  const service = await Service.start(lifetime, settings, databaseUrl);
  const wire = await lifetime.own(PostgresProxy.before(service.databaseUrl), (proxy) => proxy.goAway());
  // Only now: while its database is made, this process waits and carries nothing.
  settings.DATABASE_URL = wire.url;
  await service.end('SIGTERM');
  service.launch();
  await service.untilReady();
  const port = String(await freePort());
  const worker = new Member('worker', service.program('worker.js'), { ...service.env, PORT: port, WORKER_PORT: port });
  // While the wire is there.
  await lifetime.own(Promise.resolve(), () => Promise.all([worker.end(), service.end('SIGKILL')]));
  await worker.untilReady();
  return { service, worker, wire };
}
