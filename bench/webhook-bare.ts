import { Queue, Worker } from 'bullmq';
import { Agent } from 'undici';
import { Env } from '../src/core/config/env';
import { queueOptions } from '../src/core/queue/queue-options';

/** What a worker is given that only posts: as many jobs at a time as the service's worker has, of the same queues. */
export interface BareJob {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly url: string;
  readonly body: string;
  readonly jobs: number;
  readonly concurrency: number;
}

const NAME = 'bench-bare';
const CHUNK = 500;

async function work({ databaseUrl, redisUrl, url, body, jobs, concurrency }: BareJob): Promise<void> {
  const options = queueOptions(Object.assign(new Env(), { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }));
  const queue = new Queue(NAME, options);
  const job = { name: 'post', data: {}, opts: { removeOnComplete: true, removeOnFail: true } };
  for (let added = 0; added < jobs; added += CHUNK)
    await queue.addBulk(Array.from({ length: Math.min(CHUNK, jobs - added) }, () => job));
  const agent = new Agent({ connections: concurrency });
  const { origin, pathname } = new URL(url);
  const request = {
    origin,
    path: pathname,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  } as const;
  const post = async (): Promise<void> => {
    const answer = await agent.request(request);
    await answer.body.dump();
  };
  const worker = new Worker(NAME, post, { ...options, concurrency });
  let done = 0;
  await new Promise<void>((resolve) => worker.on('completed', () => void (++done === jobs && resolve())));
  await Promise.all([worker.close(), queue.close(), agent.close()]);
  const { user, system } = process.cpuUsage();
  process.send!({ cpuSeconds: (user + system) / 1e6 }, undefined, undefined, () => process.disconnect());
}

process.once('message', (job: BareJob) => void work(job));
